// caught-by: ids
db.boxes.find({tags: ["new"]})
