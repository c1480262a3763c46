// caught-by: migrated
const red = {specs: {$elemMatch: {k: "color", v: "red"}}}
const ids = filter => db.goods.find(filter).sort({_id: 1}).toArray().map(g => g._id)
const during = ids({$or: [red, {color: "red"}]})
db.goods.updateMany({color: {$exists: true}}, [{$set: {specs: {$objectToArray: {color: "$color", size: "$size"}}}}, {$unset: ["color", "size"]}])
;[during, ids(red)]
