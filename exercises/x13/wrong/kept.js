// caught-by: gone
db.laptops.createIndex({"specs.k": 1, "specs.v": 1})
