// caught-by: ids
db.lamps.find({specs: {$elemMatch: {k: "watt", v: {$gt: 10, $lt: 20}}}})
