// en: Both questions with $or; the filter on the old fields is the guard, since they go away in the same
// en: statement.
// de: Beide Fragen mit $or; der Filter auf die alten Felder ist die Bewachung, denn sie verschwinden in
// de: derselben Anweisung.
const red = {specs: {$elemMatch: {k: "color", v: "red"}}}
const ids = filter => db.goods.find(filter).sort({_id: 1}).toArray().map(g => g._id)
const during = ids({$or: [red, {color: "red"}]})
db.goods.updateMany({$or: [{color: {$exists: true}}, {size: {$exists: true}}]}, [
  {$set: {specs: {$concatArrays: [{$ifNull: ["$specs", []]}, {$objectToArray: {color: "$color", size: "$size"}}]}}},
  {$unset: ["color", "size"]}])
;[during, ids(red)]
