// caught-by: ids
db.shirts.find({"specs.k": "color", "specs.v": "red"}).toArray()
db.shirts.find({specs: {$elemMatch: {v: "red"}}})
