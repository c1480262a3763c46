// en: Guarded by the old shape; the index has the equality first, then the sort.
// de: Mit der alten Form bewacht; der Index hat erst die Gleichheit, dann die Sortierung.
db.goods.find({brand: {$exists: false}}).toArray().forEach(({_id, specs}) => {
  const value = k => specs.find(s => s.k === k).v
  db.goods.updateOne({_id}, {$set: {brand: value("brand"), price: value("price"), specs: specs.filter(s => !["brand", "price"].includes(s.k))}})
})
db.goods.createIndex({brand: 1, price: 1})
