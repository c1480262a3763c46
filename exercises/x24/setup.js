var facts = [
  {person: "p1", days: [{date: "20140131", steps: 900}, {date: "20140201", steps: 10800}, {date: "20140202", steps: 5906}, {date: "20140301", steps: 12004}]},
  {person: "p2", days: [{date: "20140201", steps: 10000}, {date: "20140228", steps: 15000}]}]
for (const {person, days} of facts) {
  db.names.insertOne({_id: person, steps_made: Object.fromEntries(days.map(d => [d.date, NumberInt(d.steps)]))})
  db.arrays.insertOne({_id: person, steps_made: days.map(d => ({date: d.date, steps: NumberInt(d.steps)}))})
  db.days.insertMany(days.map(d => ({_id: person + "-" + d.date, person, date: d.date, steps: NumberInt(d.steps)})))
}
db.arrays.createIndex({"steps_made.date": 1})
db.days.createIndex({person: 1, date: 1}, {unique: true})
db.days.createIndex({steps: 1})
