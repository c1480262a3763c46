// caught-by: one
db.products.createIndex({"specs.k": 1})
db.products.createIndex({"specs.v": 1})
