// caught-by: ids
db.products.find({"specs.warranty": {$exists: false}})
