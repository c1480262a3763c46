// en: The same as a pipeline.
// de: Dasselbe als Pipeline.
db.lamps.aggregate([{$match: {specs: {$elemMatch: {v: {$lte: 20, $gte: 10}, k: "watt"}}}}])
