// caught-by: kept
db.lamps.createIndex({"specs.k": 1, "specs.v": 1})
db.lamps.deleteMany({specs: {$elemMatch: {k: "watt", v: {$gte: 10}}}})
