// en: A regular expression with both ends.
// de: Ein regulärer Ausdruck mit beiden Enden.
db.products.updateMany({}, {$set: {"specs.$[s].k": "color"}}, {arrayFilters: [{"s.k": /^colou?r$/i}]})
