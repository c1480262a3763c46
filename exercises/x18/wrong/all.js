// caught-by: split
db.laptops.find().toArray().forEach(({_id, specs}) => db.laptops.updateOne({_id}, {$set: {specs: specs.map(s => {
  const parts = /^(\d+) *([A-Z]+)$/.exec(s.v)
  return parts ? {k: s.k, v: NumberInt(parts[1]), u: parts[2]} : s
})}}))
