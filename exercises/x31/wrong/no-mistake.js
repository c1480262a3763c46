// caught-by: made
db.shirts.find({specs: {$elemMatch: {k: "color", v: "red"}}})
db.shirts.find({specs: {$elemMatch: {k: "color", v: "red"}}})
