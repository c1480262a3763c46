// caught-by: both
const red = {specs: {$elemMatch: {k: "color", v: "red"}}}
const ids = filter => db.goods.find(filter).sort({_id: 1}).toArray().map(g => g._id)
const during = ids(red)
db.goods.updateMany({$or: [{color: {$exists: true}}, {size: {$exists: true}}]}, [
  {$set: {specs: {$concatArrays: [{$ifNull: ["$specs", []]}, {$objectToArray: {color: "$color", size: "$size"}}]}}}, {$unset: ["color", "size"]}])
;[during, ids(red)]
