// en: The month is the first six characters.
// de: Der Monat sind die ersten sechs Zeichen.
const rows = (c, stages) => c.aggregate([...stages, {$match: {date: /^201402/, steps: {$gt: 10000}}}]).toArray().map(r => r.person + " " + r.date).sort()
;({
  names: rows(db.names, [{$project: {d: {$objectToArray: "$steps_made"}}}, {$unwind: "$d"}, {$project: {person: "$_id", date: "$d.k", steps: "$d.v"}}]),
  arrays: rows(db.arrays, [{$unwind: "$steps_made"}, {$project: {person: "$_id", date: "$steps_made.date", steps: "$steps_made.steps"}}]),
  days: rows(db.days, [])
})
