// en: An _id made of both keeps it unique as well.
// de: Eine _id aus beiden hält es ebenfalls eindeutig.
db.steps.createIndex({person: 1, date: 1}, {unique: true})
db.names.find().toArray().forEach(p => Object.entries(p.steps_made).forEach(([date, steps]) =>
  db.steps.replaceOne({_id: p._id + " " + date}, {person: p._id, date, steps}, {upsert: true})))
