// caught-by: plans
db.goods.find({brand: {$exists: false}}).toArray().forEach(({_id, specs}) => {
  const value = k => specs.find(s => s.k === k).v
  db.goods.updateOne({_id}, {$set: {brand: value("brand"), price: value("price"), specs: specs.filter(s => !["brand", "price"].includes(s.k))}})
})
