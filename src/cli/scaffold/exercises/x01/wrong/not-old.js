// caught-by: ids
db.boxes.find({tags: {$ne: "old"}})
