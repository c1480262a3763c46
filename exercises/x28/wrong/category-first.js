// caught-by: any
db.goods.createIndex({category: 1, "specs.k": 1, "specs.v": 1, price: 1})
db.goods.createIndex({price: 1})
