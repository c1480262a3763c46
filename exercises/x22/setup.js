db.products.insertMany([
  {_id: 1, specs: [{k: "Color", v: "red"}, {k: "size", v: "M"}]}, {_id: 2, specs: [{k: "colour", v: "blue"}, {k: "color", v: "green"}]},
  {_id: 3, specs: [{k: "color", v: "colour"}]}, {_id: 4, specs: [{k: "colour", v: "red"}, {k: "Color", v: "blue"}]}, {_id: 5, specs: []}, {_id: 6, specs: [{k: "note", v: "colour"}]}
])
