// en: The set of ids holds each product once.
// de: Die Menge der _id enthält jedes Produkt einmal.
db.products.aggregate([{$match: {"specs.k": "color"}}, {$unwind: "$specs"}, {$match: {"specs.k": "color"}},
  {$group: {_id: "$specs.v", ids: {$addToSet: "$_id"}}}, {$project: {n: {$size: "$ids"}}}])
