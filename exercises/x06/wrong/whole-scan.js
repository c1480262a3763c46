// caught-by: keys
db.bikes.find({specs: {$elemMatch: {k: "frame", v: "carbon"}}}).hint({$natural: 1})
