// caught-by: plan
db.lamps.createIndex({"attributes.k": 1, "attributes.v": 1})
