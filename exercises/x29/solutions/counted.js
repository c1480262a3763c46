// en: The keys found by counting; then moved.
// de: Die Schlüssel durch Zählen gefunden, dann verschoben.
const all = db.goods.countDocuments({})
const keys = db.goods.aggregate([{$unwind: "$specs"}, {$group: {_id: {id: "$_id", k: "$specs.k"}, n: {$sum: 1}}}, {$match: {n: 1}},
  {$group: {_id: "$_id.k", n: {$sum: 1}}}, {$match: {n: all}}]).toArray().map(g => g._id)
if (keys.length) db.goods.find().toArray().forEach(({_id, specs}) => {
  const set = {specs: specs.filter(s => !keys.includes(s.k))}
  specs.filter(s => keys.includes(s.k)).forEach(s => { set[s.k] = s.v })
  db.goods.updateOne({_id}, {$set: set})
})
db.goods.createIndex({brand: 1, price: -1})
