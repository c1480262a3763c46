db.steps.aggregate([{$group: {_id: {person: "$person", month: {$substr: ["$date", 0, 6]}}, avg: {$avg: "$steps"}}}])
//----
db.steps.aggregate([{$group: {_id: {person: "$person", month: {$substr: ["$date", 4, 2]}}, avg: {$avg: {$toInt: "$steps"}}}}])
//----
db.steps.aggregate([{$group: {_id: "$person", avg: {$avg: {$toInt: "$steps"}}}}])
//----
db.steps.aggregate([{$match: {steps: {$type: "number"}}}, {$group: {_id: {person: "$person", month: {$substr: ["$date", 0, 6]}}, avg: {$avg: "$steps"}}}])
//----
db.steps.aggregate([{$group: {_id: {person: "$person", month: {$toInt: {$substr: ["$date", 0, 6]}}}, avg: {$avg: {$toInt: "$steps"}}}}])
//----
db.steps.aggregate([{$group: {_id: {person: "$person", month: {$substr: ["$date", 0, 6]}}, avg: {$sum: {$toInt: "$steps"}}}}])
//----
db.steps.updateMany({steps: {$type: "string"}}, [{$set: {steps: {$toInt: "$steps"}}}])
db.steps.aggregate([{$group: {_id: {person: "$person", month: {$substr: ["$date", 0, 6]}}, avg: {$avg: "$steps"}}}])
//----
db.steps.aggregate([{$group: {_id: {person: "$person", month: {$substr: ["$date", 0, 6]}}, avg: {$avg: {$toInt: "$steps"}}}}, {$set: {avg: {$round: "$avg"}}}])
//----
db.steps.aggregate([{$group: {_id: {person: "$person", month: {$substr: ["$date", 0, 6]}}, average: {$avg: {$toInt: "$steps"}}}}])
//----
db.steps.aggregate([{$group: {_id: {person: "$person", month: {$substr: ["$date", 0, 6]}, day: "$date"}, avg: {$avg: {$toInt: "$steps"}}}}])
//----
db.steps.aggregate([{$set: {steps: {$convert: {input: "$steps", to: "int", onError: 0}}}}, {$match: {date: /^201402/}}, {$group: {_id: {person: "$person", month: {$substr: ["$date", 0, 6]}}, avg: {$avg: "$steps"}}}])
