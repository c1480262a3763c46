// caught-by: sorted
db.goods.createIndexes([{"specs.k": 1, "specs.v": 1, category: 1}, {price: 1}])
