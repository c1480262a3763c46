// caught-by: rows
db.products.find({"specs.k": "color"}, {specs: {$elemMatch: {v: {$in: ["red", "blue"]}}}})
