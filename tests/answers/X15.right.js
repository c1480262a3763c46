db.products.updateMany({}, {$pull: {specs: {k: "warranty"}}})
db.products.updateMany({}, {$push: {specs: {k: "warranty", v: 24}}})
//----
db.products.find().forEach(p => {
  const others = (p.specs || []).filter(s => s.k !== "warranty")
  db.products.updateOne({_id: p._id}, {$set: {specs: [{k: "warranty", v: 24}, ...others]}})
})
//----
db.products.bulkWrite([
  {updateMany: {filter: {specs: {$exists: false}}, update: {$set: {specs: []}}}},
  {updateMany: {filter: {}, update: {$pull: {specs: {k: "warranty"}}}}},
  {updateMany: {filter: {}, update: {$addToSet: {specs: {k: "warranty", v: 24}}}}}
])
//----
db.products.aggregate([
  {$set: {specs: {$concatArrays: [[{k: "warranty", v: 24}], {$filter: {input: {$ifNull: ["$specs", []]}, cond: {$ne: ["$$this.k", "warranty"]}}}]}}},
  {$merge: {into: "products", on: "_id", whenMatched: "replace"}}
])
//----
for (const {_id, specs = []} of db.products.find().toArray())
  db.products.findOneAndUpdate({_id}, {$set: {specs: specs.filter(s => s.k != "warranty").concat({k: "warranty", v: NumberInt(24)})}})
//----
db.runCommand({update: "products", updates: [
  {q: {}, u: {$pull: {specs: {k: "warranty"}}}, multi: true},
  {q: {}, u: {$push: {specs: {$each: [{k: "warranty", v: 24}], $position: 0}}}, multi: true}
]})
//----
db.products.updateMany({}, [{$set: {specs: {$cond: [{$isArray: "$specs"}, "$specs", []]}}},
  {$set: {specs: {$filter: {input: "$specs", as: "s", cond: {$not: [{$eq: ["$$s.k", "warranty"]}]}}}}},
  {$set: {specs: {$concatArrays: ["$specs", [{k: "warranty", v: 24}]]}}}])
//----
const all = db.products.find().toArray().map(p => ({...p, specs: [...(p.specs ?? []).filter(s => s.k !== "warranty"), {k: "warranty", v: 24}]}))
all.forEach(p => db.products.replaceOne({_id: p._id}, p))
//----
db.products.find().toArray().forEach(p => {
  db.products.updateOne({_id: p._id}, {$pull: {specs: {k: {$in: ["warranty"]}}}})
  db.products.updateOne({_id: p._id}, {$push: {specs: {k: "warranty", v: 24.0}}})
})
//----
const ops = db.products.find().toArray().map(p => ({replaceOne: {filter: {_id: p._id}, replacement: {...p, specs: (p.specs || []).filter(s => s.k !== "warranty").concat([{k: "warranty", v: 24}])}}}))
db.products.bulkWrite(ops, {ordered: false})
