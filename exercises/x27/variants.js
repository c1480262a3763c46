const facts = []
for (let p = 1; p <= 10; p++) {
  const days = []
  for (const month of ["01", "02", "03"]) for (let d = 1; d <= 28; d++) days.push({date: "2014" + month + String(d).padStart(2, "0"), steps: int(0, 10300)})
  facts.push({person: "p" + p, days})
}
for (const {person, days} of facts) {
  db.names.insertOne({_id: person, steps_made: Object.fromEntries(days.map(d => [d.date, NumberInt(d.steps)]))})
  db.arrays.insertOne({_id: person, steps_made: days.map(d => ({date: d.date, steps: NumberInt(d.steps)}))})
  db.days.insertMany(days.map(d => ({_id: person + "-" + d.date, person, date: d.date, steps: NumberInt(d.steps)})))
}
db.arrays.createIndex({"steps_made.date": 1})
db.days.createIndex({person: 1, date: 1}, {unique: true})
db.days.createIndex({steps: 1})
