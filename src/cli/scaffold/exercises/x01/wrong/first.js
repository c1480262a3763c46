// caught-by: ids
db.boxes.find({"tags.0": "new"})
