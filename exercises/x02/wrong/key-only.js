// caught-by: serves
db.products.createIndex({"specs.k": 1})
