// caught-by: two
db.products.createIndexes([{category: 1, "specs.k": 1, "specs.v": 1, price: 1}, {category: 1}, {price: 1}])
