// caught-by: ids, cross-element-match
db.products.find({"attributes.k": {$all: ["color", "voltage"]}, "attributes.v": {$all: ["Yellow", 20]}})
