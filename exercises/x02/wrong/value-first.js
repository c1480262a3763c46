// caught-by: serves
db.products.createIndex({"specs.v": 1, "specs.k": 1})
