// en: The array filter names the wrong spellings exactly.
// de: Der Arrayfilter nennt die falschen Schreibweisen genau.
db.products.updateMany({}, {$set: {"specs.$[s].k": "color"}}, {arrayFilters: [{"s.k": {$in: ["Color", "colour"]}}]})
