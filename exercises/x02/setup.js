db.products.insertMany([
  {_id: 1, specs: [{k: "color", v: "red"}, {k: "ram", v: 8}]},
  {_id: 2, specs: [{k: "color", v: "blue"}, {k: "watt", v: 12}]},
  {_id: 3, specs: [{k: "ram", v: 16}, {k: "storage", v: 512}]},
  {_id: 4, specs: [{k: "watt", v: 60}, {k: "voltage", v: 230}]}
])
