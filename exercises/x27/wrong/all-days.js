// caught-by: cost
const february = db.days.find({person: "p1", date: {$gte: "20140201", $lt: "20140301"}}).sort({date: 1}).toArray()
;[db.days.find({person: "p1"}).toArray().length, db.days.findOne({person: "p2", date: "20140201"}).steps,
  february.map(d => d.date), db.days.countDocuments({steps: {$gt: 10000}}), february.reduce((s, d) => s + d.steps, 0)]
