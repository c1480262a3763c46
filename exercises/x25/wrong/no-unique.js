// caught-by: unique
db.steps.createIndex({person: 1, date: 1})
db.names.find().toArray().forEach(({_id, steps_made}) => Object.entries(steps_made).forEach(([date, steps]) =>
  db.steps.updateOne({person: _id, date}, {$set: {steps}}, {upsert: true})))
