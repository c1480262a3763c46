db.steps.aggregate([{$set: {n: {$toDouble: "$steps"}, month: {$substrCP: ["$date", 0, 6]}}}, {$group: {_id: {person: "$person", month: "$month"}, avg: {$avg: "$n"}}}])
//----
db.steps.aggregate([{$group: {_id: {month: {$substrBytes: ["$date", 0, 6]}, person: "$person"}, avg: {$avg: {$convert: {input: "$steps", to: "long"}}}}}])
//----
const groups = {}
db.steps.find().forEach(({person, date, steps}) => {
  const key = person + " " + date.slice(0, 6)
  ;(groups[key] ??= []).push(Number(steps))
})
Object.entries(groups).map(([key, list]) => {
  const [person, month] = key.split(" ")
  return {_id: {person, month}, avg: list.reduce((a, b) => a + b) / list.length}
})
//----
db.steps.aggregate([
  {$group: {_id: {person: "$person", month: {$substr: ["$date", 0, 6]}}, sum: {$sum: {$toInt: "$steps"}}, n: {$sum: 1}}},
  {$project: {avg: {$divide: ["$sum", "$n"]}}}
])
//----
db.steps.aggregate([{$group: {_id: {person: "$person", month: {$substr: ["$date", 0, 6]}}, list: {$push: {$toInt: "$steps"}}}}, {$project: {avg: {$avg: "$list"}}}, {$sort: {_id: 1}}])
//----
db.runCommand({aggregate: "steps", pipeline: [{$group: {_id: {person: "$person", month: {$substr: ["$date", 0, 6]}}, avg: {$avg: {$toDecimal: "$steps"}}}}], cursor: {}})
//----
db.steps.aggregate([{$group: {_id: {person: "$person", month: {$substr: ["$date", 0, 6]}}, avg: {$avg: {$cond: [{$isNumber: "$steps"}, "$steps", {$toInt: "$steps"}]}}}}]).toArray()
//----
db.steps.aggregate([{$set: {d: {$dateFromString: {dateString: "$date", format: "%Y%m%d"}}}}, {$group: {_id: {person: "$person", month: {$dateToString: {date: "$d", format: "%Y%m"}}}, avg: {$avg: {$toInt: "$steps"}}}}])
//----
const rows = []
for (const person of db.steps.distinct("person"))
  for (const month of new Set(db.steps.find({person}).map(s => s.date.substring(0, 6)).toArray())) {
    const list = db.steps.find({person, date: new RegExp("^" + month)}).toArray().map(s => +s.steps)
    rows.push({_id: {person, month}, avg: list.reduce((sum, n) => sum + n, 0) / list.length})
  }
rows
//----
db.steps.aggregate([{$group: {_id: {person: "$person", month: {$substr: ["$date", 0, 6]}}, avg: {$avg: {$toInt: "$steps"}}}}, {$project: {_id: {month: "$_id.month", person: "$_id.person"}, avg: 1}}])
