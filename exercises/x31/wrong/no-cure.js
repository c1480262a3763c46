// caught-by: ids, cured
db.shirts.find({"specs.k": "color", "specs.v": "red"}).toArray()
db.shirts.find({"specs.k": "color", "specs.v": "red"})
