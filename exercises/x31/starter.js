db.shirts.find({})
db.shirts.find({})
