// caught-by: repaired
db.bottles.updateMany({}, [{$set: {specs: {$map: {input: "$specs", as: "s", in: {$mergeObjects: ["$$s", {v: {$convert: {input: "$$s.v", to: "int", onError: "$$s.v"}}}]}}}}}])
db.bottles.find({specs: {$elemMatch: {k: "volume", u: "ml", v: {$gte: 100}}}})
