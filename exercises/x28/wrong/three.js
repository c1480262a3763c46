// caught-by: two
db.goods.createIndexes([{category: 1, "specs.k": 1, "specs.v": 1, price: 1}, {"specs.k": 1, "specs.v": 1}, {price: 1}])
