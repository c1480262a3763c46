// caught-by: plan
db.lamps.createIndex({"specs.k": 1})
