db.products.insertMany([
  {_id: 1, specs: [{k: "color", v: "red"}, {k: "stock", v: 5}, {k: "size", v: "L"}]},
  {_id: 2, specs: [{k: "stock", v: 0}]}, {_id: 3, specs: [{k: "note", v: "stock"}]}, {_id: 4, specs: []}
])
