const people = ["p1", "p2", "p3"]
const facts = people.map(person => ({person, days: shuffle(["20140131", "20140201", "20140202", "20140215", "20140228", "20140301", "20140302"]).slice(0, int(2, 7)).map(date => ({date, steps: int(0, 18) * 1000}))}))
for (const {person, days} of facts) {
  db.names.insertOne({_id: person, steps_made: Object.fromEntries(days.map(d => [d.date, NumberInt(d.steps)]))})
  db.arrays.insertOne({_id: person, steps_made: days.map(d => ({date: d.date, steps: NumberInt(d.steps)}))})
  db.days.insertMany(days.map(d => ({_id: person + "-" + d.date, person, date: d.date, steps: NumberInt(d.steps)})))
}
db.arrays.createIndex({"steps_made.date": 1})
db.days.createIndex({person: 1, date: 1}, {unique: true})
db.days.createIndex({steps: 1})
