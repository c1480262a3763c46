// en: In JavaScript for the first two.
// de: Für die ersten zwei in JavaScript.
const good = (date, steps) => date >= "20140201" && date < "20140301" && steps > 10000
;({
  names: db.names.find().toArray().flatMap(p => Object.entries(p.steps_made).filter(([d, n]) => good(d, n)).map(([d]) => p._id + " " + d)).sort(),
  arrays: db.arrays.find().toArray().flatMap(p => p.steps_made.filter(d => good(d.date, d.steps)).map(d => p._id + " " + d.date)).sort(),
  days: db.days.find({steps: {$gt: 10000}}).toArray().filter(d => good(d.date, d.steps)).map(d => d.person + " " + d.date).sort()
})
