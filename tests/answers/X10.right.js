db.products.find({specs: {$not: {$elemMatch: {k: "warranty"}}}})
//----
db.products.find({"specs.k": {$nin: ["warranty"]}})
//----
db.products.find({$nor: [{specs: {$elemMatch: {k: "warranty"}}}]})
//----
db.products.find({$nor: [{"specs.k": "warranty"}]})
//----
db.products.find({$expr: {$not: [{$in: ["warranty", {$ifNull: ["$specs.k", []]}]}]}})
//----
db.products.aggregate([{$match: {"specs.k": {$ne: "warranty"}}}, {$project: {name: 1}}])
//----
db.products.find().toArray().filter(product => !(product.specs || []).some(s => s.k === "warranty"))
//----
const having = db.products.distinct("_id", {"specs.k": "warranty"})
db.products.find({_id: {$nin: having}})
//----
db.products.aggregate([
  {$set: {n: {$size: {$filter: {input: {$ifNull: ["$specs", []]}, cond: {$eq: ["$$this.k", "warranty"]}}}}}},
  {$match: {n: 0}}
])
//----
db.products.aggregate([
  {$unwind: {path: "$specs", preserveNullAndEmptyArrays: true}},
  {$group: {_id: "$_id", has: {$max: {$eq: ["$specs.k", "warranty"]}}}},
  {$match: {has: false}}
])
//----
db.products.find({"specs.k": {$not: {$eq: "warranty"}}})
//----
db.products.find({"specs.k": {$not: /^warranty$/}})
