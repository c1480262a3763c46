// caught-by: rows
const list = db.days.find({date: {$gte: "20140201", $lt: "20140301"}, steps: {$gte: 10000}}).toArray().map(r => r.person + " " + r.date).sort()
;({names: list, arrays: list, days: list})
