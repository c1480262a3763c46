// caught-by: rows
const list = db.days.find({date: {$lt: "20140301"}, date: {$gte: "20140201"}, steps: {$gt: 10000}}).toArray().map(r => r.person + " " + r.date).sort()
;({names: list, arrays: list, days: list})
