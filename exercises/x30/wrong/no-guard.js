// caught-by: migrated
const red = {specs: {$elemMatch: {k: "color", v: "red"}}}
const ids = filter => db.goods.find(filter).sort({_id: 1}).toArray().map(g => g._id)
const during = ids({$or: [red, {color: "red"}]})
db.goods.updateMany({}, [{$set: {specs: {$concatArrays: [{$ifNull: ["$specs", []]}, {$objectToArray: {color: "$color", size: "$size"}}]}}}])
;[during, ids(red)]
