// caught-by: rows
db.products.find({"specs.0.k": "color"}, {specs: {$slice: 1}})
