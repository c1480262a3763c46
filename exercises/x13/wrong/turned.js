// caught-by: serves
db.laptops.dropIndex({"attributes.k": 1, "attributes.v": 1})
db.laptops.createIndex({"specs.v": 1, "specs.k": 1})
