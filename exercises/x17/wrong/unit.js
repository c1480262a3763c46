// caught-by: repaired
db.bottles.updateMany({}, [{$set: {specs: {$map: {input: "$specs", as: "s", in: {$cond: [{$eq: ["$$s.k", "volume"]}, {$mergeObjects: ["$$s", {v: {$toInt: "$$s.v"}}]}, "$$s"]}}}}}])
db.bottles.find({specs: {$elemMatch: {k: "volume", v: {$gte: 100}}}})
