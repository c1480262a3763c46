db.products.updateOne({_id: 2}, {$set: {"specs.$[color].v": "black"}}, {arrayFilters: [{"color.k": "color"}]})
//----
db.products.findAndModify({query: {_id: 2, "specs.k": "color"}, update: {$set: {"specs.$.v": "black"}}})
//----
db.products.findOneAndUpdate({_id: 2, specs: {$elemMatch: {k: "color"}}}, {$set: {"specs.$.v": "black"}}, {returnDocument: "after"})
//----
db.products.bulkWrite([{updateOne: {filter: {_id: 2, "specs.k": "color"}, update: {$set: {"specs.$.v": "black"}}}}])
//----
db.runCommand({update: "products", updates: [{q: {_id: 2, specs: {$elemMatch: {k: "color"}}}, u: {$set: {"specs.$.v": "black"}}}]})
//----
const product = db.products.findOne({_id: 2})
product.specs.find(s => s.k === "color").v = "black"
db.products.replaceOne({_id: 2}, product)
//----
db.products.updateOne({_id: 2}, [{$set: {specs: {$map: {input: "$specs", as: "s", in: {$cond: [{$eq: ["$$s.k", "color"]}, {$mergeObjects: ["$$s", {v: "black"}]}, "$$s"]}}}}}])
//----
db.products.aggregate([
  {$match: {_id: 2}},
  {$set: {specs: {$map: {input: "$specs", in: {$cond: [{$eq: ["$$this.k", "color"]}, {$mergeObjects: ["$$this", {v: "black"}]}, "$$this"]}}}}},
  {$merge: {into: "products", whenMatched: "replace"}}
])
//----
db.products.updateMany({_id: {$in: [2]}, "specs.k": "color"}, {$set: {"specs.$[c].v": "black"}}, {arrayFilters: [{"c.k": {$eq: "color"}}]})
//----
const p = db.products.findOne({_id: 2})
db.products.deleteOne({_id: 2})
db.products.insertOne({...p, specs: p.specs.map(s => s.k === "color" ? {...s, v: "black"} : s)})
