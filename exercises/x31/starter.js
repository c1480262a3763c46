db.shirts.find({}).toArray()
db.shirts.find({})
