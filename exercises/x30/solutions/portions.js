// en: In two portions, color before size.
// de: In zwei Portionen, color vor size.
const ids = filter => db.goods.find(filter).toArray().map(g => g._id).sort((a, b) => a - b)
const during = ids({$or: [{color: "red"}, {specs: {$elemMatch: {k: "color", v: "red"}}}]})
for (const k of ["color", "size"])
  db.goods.updateMany({[k]: {$exists: true}}, [
    {$set: {specs: {$concatArrays: [{$ifNull: ["$specs", []]}, [{k, v: "$" + k}]]}}}, {$unset: k}])
;[during, ids({specs: {$elemMatch: {k: "color", v: "red"}}})]
