db.lamps.find({specs: {$elemMatch: {k: "watt", v: {$gt: 10, $lt: 20}}}})
//----
db.lamps.find({specs: {$elemMatch: {k: "watt", v: {$gte: 10}}}, "specs.v": {$lte: 20}})
//----
db.lamps.find({"specs.k": "watt", "specs.v": {$gte: 10, $lte: 20}})
//----
db.lamps.find({specs: {$elemMatch: {k: "watt", v: {$gte: "10", $lte: "20"}}}})
//----
db.lamps.find({specs: {$elemMatch: {v: {$gte: 10, $lte: 20}}}})
//----
db.lamps.find({specs: {$elemMatch: {k: "watt", v: {$gte: 10, $lt: 20}}}})
//----
db.lamps.find({specs: {$elemMatch: {k: "watt", v: {$in: [10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]}}}})
//----
db.lamps.find({specs: {$elemMatch: {k: /^watt/, v: {$gte: 10, $lte: 20}}}})
//----
db.lamps.find({specs: {$all: [{$elemMatch: {k: "watt", v: {$gte: 10}}}, {$elemMatch: {k: "watt", v: {$lte: 20}}}]}})
//----
db.lamps.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "watt", "specs.v": {$gte: 10, $lte: 20}}}])
//----
db.lamps.find({$expr: {$and: [{$gte: [{$max: "$specs.v"}, 10]}, {$lte: [{$min: "$specs.v"}, 20]}]}})
