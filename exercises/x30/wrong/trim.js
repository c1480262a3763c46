// caught-by: both
const ids = filter => db.goods.find(filter).sort({_id: 1}).toArray().map(g => g._id)
const during = ids({$or: [{"specs.v": "red"}, {color: "red"}]})
db.goods.updateMany({$or: [{color: {$exists: true}}, {size: {$exists: true}}]}, [
  {$set: {specs: {$concatArrays: [{$ifNull: ["$specs", []]}, {$objectToArray: {color: "$color", size: "$size"}}]}}}, {$unset: ["color", "size"]}])
;[during, ids({"specs.v": "red"})]
