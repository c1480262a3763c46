db.bottles.insertMany([
  {_id: 1, specs: [{k: "volume", v: "500", u: "ml"}, {k: "code", v: "500"}]},
  {_id: 2, specs: [{k: "volume", v: 12, u: "ounces"}]},
  {_id: 3, specs: [{k: "color", v: "blue"}, {k: "volume", v: 90, u: "ml"}]},
  {_id: 4, specs: [{k: "volume", v: "3", u: "ounces"}]},
  {_id: 5, specs: [{k: "height", v: 120, u: "mm"}]}
])
