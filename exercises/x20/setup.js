db.products.insertMany([
  {_id: 1, specs: [{k: "price", v: 30}, {k: "litres", v: 2}]},
  {_id: 2, specs: [{k: "litres", v: 40}, {k: "price", v: 10}]},
  {_id: 3, specs: [{k: "price", v: 20}, {k: "litres", v: 1}]},
  {_id: 4, specs: [{k: "litres", v: 5}]}
])
