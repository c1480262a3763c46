db.boxes.find({})
