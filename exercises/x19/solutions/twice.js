// en: Two groups: product and color, then color.
// de: Zwei Gruppen: Produkt und Farbe, dann Farbe.
db.products.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color"}},
  {$group: {_id: {id: "$_id", color: "$specs.v"}}}, {$group: {_id: "$_id.color", n: {$sum: 1}}}])
