// caught-by: ids
db.products.find({"specs.k": "color", "specs.v": {$ne: "red"}})
