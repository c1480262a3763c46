// caught-by: ids
db.bottles.updateMany({}, [{$set: {specs: {$map: {input: "$specs", as: "s", in: {$cond: [{$eq: ["$$s.k", "volume"]},
  {k: "volume", v: {$multiply: [{$toInt: "$$s.v"}, {$cond: [{$eq: ["$$s.u", "ounces"]}, 30, 1]}]}, u: "ml"}, "$$s"]}}}}}])
db.bottles.find({"specs.k": "volume", "specs.v": {$gte: 100}})
