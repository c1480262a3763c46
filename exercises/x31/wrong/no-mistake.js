// caught-by: made
db.shirts.find({specs: {$elemMatch: {k: "color", v: "red"}}}).toArray()
db.shirts.find({specs: {$elemMatch: {k: "color", v: "red"}}})
