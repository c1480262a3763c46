// en: The upsert makes a missing day and finds one that exists; the unique index makes that safe.
// de: Der Upsert macht einen fehlenden Tag und findet einen vorhandenen; der unique-Index macht das
// de: sicher.
db.steps.createIndex({person: 1, date: 1}, {unique: true})
db.names.find().toArray().forEach(({_id, steps_made}) => Object.entries(steps_made).forEach(([date, steps]) =>
  db.steps.updateOne({person: _id, date}, {$set: {steps}}, {upsert: true})))
