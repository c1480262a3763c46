// caught-by: plan
db.products.createIndex({category: 1, "specs.k": 1, "specs.v": 1})
