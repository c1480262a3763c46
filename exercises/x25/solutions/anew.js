// en: Dropped and filled anew.
// de: Weggeworfen und neu gefüllt.
db.steps.drop()
db.steps.createIndex({person: 1, date: 1}, {unique: true})
const rows = db.names.aggregate([{$project: {d: {$objectToArray: "$steps_made"}}}, {$unwind: "$d"},
  {$project: {_id: 0, person: "$_id", date: "$d.k", steps: "$d.v"}}]).toArray()
db.steps.insertMany(rows)
