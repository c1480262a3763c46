// caught-by: removed
db.products.updateMany({}, {$unset: {"specs.$[s]": 1}}, {arrayFilters: [{"s.k": "stock"}]})
