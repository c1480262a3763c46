// caught-by: moved
db.goods.find({brand: {$exists: false}}).toArray().forEach(({_id, specs}) => {
  const set = {specs: []}
  specs.forEach(s => { set[s.k] = s.v })
  db.goods.updateOne({_id}, {$set: set})
})
db.goods.createIndex({brand: 1, price: 1})
