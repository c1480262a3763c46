// en: One pipeline converts and multiplies; then the range is an honest one.
// de: Eine Pipeline wandelt um und multipliziert; dann ist der Bereich ehrlich.
db.bottles.updateMany({}, [{$set: {specs: {$map: {input: "$specs", as: "s", in: {$cond: [{$eq: ["$$s.k", "volume"]},
  {k: "volume", v: {$multiply: [{$toInt: "$$s.v"}, {$cond: [{$eq: ["$$s.u", "ounces"]}, 30, 1]}]}, u: "ml"}, "$$s"]}}}}}])
db.bottles.find({specs: {$elemMatch: {k: "volume", u: "ml", v: {$gte: 100}}}})
