// caught-by: rows
db.products.find({"specs.k": "color"}, {specs: 1})
