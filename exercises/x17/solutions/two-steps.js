// en: First the types, then the unit.
// de: Erst die Typen, dann die Einheit.
db.bottles.updateMany({"specs.k": "volume"}, [{$set: {specs: {$map: {input: "$specs", as: "s", in: {$cond: [{$eq: ["$$s.k", "volume"]}, {$mergeObjects: ["$$s", {v: {$toInt: "$$s.v"}}]}, "$$s"]}}}}}])
db.bottles.updateMany({}, {$mul: {"specs.$[o].v": 30}, $set: {"specs.$[o].u": "ml"}}, {arrayFilters: [{"o.k": "volume", "o.u": "ounces"}]})
db.bottles.find({specs: {$elemMatch: {k: "volume", v: {$gte: 100}}}})
