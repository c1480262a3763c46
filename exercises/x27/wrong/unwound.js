// caught-by: cost
const p1 = db.arrays.findOne({_id: "p1"}).steps_made, february = p1.filter(d => d.date.startsWith("201402"))
;[p1.length, db.days.findOne({person: "p2", date: "20140201"}).steps, february.map(d => d.date),
  db.days.aggregate([{$match: {$expr: {$gt: ["$steps", 10000]}}}]).toArray().length, february.reduce((s, d) => s + d.steps, 0)]
