// caught-by: twice
db.names.find().toArray().forEach(({_id, steps_made}) => Object.entries(steps_made).forEach(([date, steps]) =>
  db.steps.insertOne({person: _id, date, steps})))
