// caught-by: ids
db.lamps.find({specs: {$elemMatch: {k: "watt", v: {$gte: "10", $lte: "20"}}}})
