// caught-by: rows
const feb = {$gte: "20140201", $lte: "20140301"}
const list = db.days.find({date: feb, steps: {$gt: 10000}}).toArray().map(r => r.person + " " + r.date).sort()
;({names: list, arrays: list, days: list})
