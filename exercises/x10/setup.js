db.products.createIndex({"specs.k": 1, "specs.v": 1})
db.products.insertMany([
  {_id: 1, specs: [{k: "color", v: "red"}, {k: "warranty", v: 24}]},
  {_id: 2, specs: [{k: "color", v: "blue"}]},
  {_id: 3, specs: []},
  {_id: 4, name: "Gift card"},
  {_id: 5, specs: [{k: "warranty", v: 12}]}
])
