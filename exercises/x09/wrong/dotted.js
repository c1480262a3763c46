// caught-by: ids
db.lamps.find({"specs.k": "watt", "specs.v": {$gte: 10, $lte: 20}})
