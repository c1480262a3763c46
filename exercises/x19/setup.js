db.products.insertMany([
  {_id: 1, specs: [{k: "color", v: "red"}, {k: "size", v: "M"}]},
  {_id: 2, specs: [{k: "color", v: "red"}, {k: "color", v: "blue"}]},
  {_id: 3, specs: [{k: "color", v: "blue"}, {k: "trim", v: "red"}, {k: "color", v: "blue"}]},
  {_id: 4, specs: []}, {_id: 5}
])
