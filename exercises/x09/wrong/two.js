// caught-by: ids
db.lamps.find({specs: {$all: [{$elemMatch: {k: "watt", v: {$gte: 10}}}, {$elemMatch: {v: {$lte: 20}}}]}})
