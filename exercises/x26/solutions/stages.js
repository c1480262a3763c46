// en: Step by step.
// de: Schritt für Schritt.
db.steps.aggregate([
  {$set: {month: {$substrCP: ["$date", 0, 6]}, n: {$toDouble: "$steps"}}},
  {$group: {_id: {person: "$person", month: "$month"}, sum: {$sum: "$n"}, days: {$sum: 1}}},
  {$project: {avg: {$divide: ["$sum", "$days"]}}}])
