// caught-by: ids
db.shirts.find({"specs.k": "color", "specs.v": "red"})
db.shirts.find({"specs.k": "color", "specs.v": "red"})
