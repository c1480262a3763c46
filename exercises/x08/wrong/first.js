// caught-by: position-dependent-path
db.products.find({"specs.0.k": "color"}, {specs: {$slice: 1}})
