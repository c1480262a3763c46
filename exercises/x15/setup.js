db.products.insertMany([
  {_id: 1, specs: [{k: "color", v: "red"}]}, {_id: 2, specs: [{k: "warranty", v: 12}, {k: "size", v: "L"}]},
  {_id: 3, specs: []}, {_id: 4, name: "Gift card"}, {_id: 5, specs: [{k: "warranty", v: 12}, {k: "warranty", v: 6}]}
])
