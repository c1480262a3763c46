db.products.insertMany([
  {_id: 1, specs: [{k: "color", v: "red"}, {k: "size", v: "L"}]},
  {_id: 2, specs: [{k: "size", v: "L"}, {k: "trim", v: "red"}, {k: "color", v: "red"}]},
  {_id: 3, specs: [{k: "color", v: "red"}]}
])
