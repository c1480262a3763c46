// en: The colors of each product as a set, then unwound.
// de: Die Farben jedes Produkts als Menge, dann zerlegt.
db.products.aggregate([{$match: {"specs.k": "color"}},
  {$project: {colors: {$setUnion: {$map: {input: {$filter: {input: "$specs", as: "s", cond: {$eq: ["$$s.k", "color"]}}}, as: "s", in: "$$s.v"}}}}},
  {$unwind: "$colors"}, {$sortByCount: "$colors"}, {$project: {n: "$count"}}])
