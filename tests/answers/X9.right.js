db.lamps.find({specs: {$elemMatch: {v: {$lte: 20, $gte: 10}, k: "watt"}}})
//----
db.lamps.aggregate([{$match: {specs: {$elemMatch: {k: "watt", v: {$gte: 10, $lte: 20}}}}}])
//----
db.lamps.find({specs: {$elemMatch: {$and: [{k: "watt"}, {v: {$gte: 10}}, {v: {$lte: 20}}]}}})
//----
db.runCommand({find: "lamps", filter: {specs: {$elemMatch: {k: "watt", v: {$gte: 10, $lte: 20}}}}}).cursor.firstBatch
//----
db.runCommand({aggregate: "lamps", pipeline: [{$match: {specs: {$elemMatch: {k: "watt", v: {$gte: 10, $lte: 20}}}}}], cursor: {}})
//----
const low = 10, high = 20
db.lamps.find({specs: {$elemMatch: {k: {$eq: "watt"}, v: {$gte: low, $lte: high}}}}).toArray().map(lamp => ({_id: lamp._id}))
//----
db.lamps.find({specs: {$all: [{$elemMatch: {k: "watt", v: {$gte: 10, $lte: 20}}}]}}).limit(500)
//----
db.lamps.find({$and: [{specs: {$elemMatch: {k: {$in: ["watt"]}, v: {$gte: NumberDecimal("10"), $lte: NumberDecimal("20")}}}}]})
//----
db.lamps.distinct("_id", {specs: {$elemMatch: {k: "watt", v: {$gte: 10, $lte: 20}}}})
//----
let names = []
for (const lamp of db.lamps.find({specs: {$elemMatch: {k: "watt", v: {$gte: 10, $lte: 20}}}}).toArray()) names.push(lamp)
names
