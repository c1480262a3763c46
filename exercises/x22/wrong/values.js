// caught-by: merged
db.products.updateMany({}, {$set: {"specs.$[s].k": "color"}}, {arrayFilters: [{$or: [{"s.k": {$in: ["Color", "colour"]}}, {"s.v": "colour"}]}]})
