// caught-by: ids, cross-element-match
db.products.find({"specs.k": "ram", "specs.v": 16})
