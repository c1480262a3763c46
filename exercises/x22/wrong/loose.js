// caught-by: merged
db.products.updateMany({}, {$set: {"specs.$[s].k": "color"}}, {arrayFilters: [{"s.k": /^colou?r/i}]})
