// caught-by: ids
db.products.find({"specs.v": 16})
