// caught-by: plan
db.products.createIndex({category: 1, price: 1})
