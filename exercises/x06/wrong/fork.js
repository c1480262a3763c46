// caught-by: ids
db.bikes.find({specs: {$elemMatch: {k: "fork", v: "carbon"}}})
