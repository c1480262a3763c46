db.products.createIndex({"specs.k": 1, "specs.v": 1})
db.products.insertMany([
  {_id: 1, specs: [{k: "color", v: "red"}]}, {_id: 2, specs: [{k: "color", v: "blue"}, {k: "trim", v: "green"}]},
  {_id: 3, specs: [{k: "color", v: "green"}, {k: "trim", v: "red"}]}, {_id: 4, specs: [{k: "size", v: "S"}]}
])
