[db.days.find({person: "p1"}).toArray().length]
