// caught-by: serves
db.products.createIndex({specs: 1})
