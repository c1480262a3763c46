db.products.createIndex({"specs.k": 1, "specs.v": 1})
db.products.insertMany([
  {_id: 1, specs: [{k: "color", v: "red"}, {k: "size", v: "S"}]},
  {_id: 2, specs: [{k: "color", v: "blue"}, {k: "trim", v: "red"}]},
  {_id: 3, specs: [{k: "pages", v: 350}]},
  {_id: 4, specs: [{k: "color", v: "red"}, {k: "color", v: "green"}]},
  {_id: 5, specs: []}
])
