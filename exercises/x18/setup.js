db.laptops.insertMany([
  {_id: 1, specs: [{k: "ram", v: "16GB"}, {k: "storage", v: "512 GB"}]},
  {_id: 2, specs: [{k: "ram", v: "8 GB"}, {k: "color", v: "16GB edition"}]},
  {_id: 3, specs: [{k: "storage", v: "2TB"}, {k: "model", v: "16GB"}]}
])
