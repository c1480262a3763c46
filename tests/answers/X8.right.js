db.products.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$project: {specs: ["$specs"]}}])
//----
db.products.aggregate([{$match: {"specs.k": "color"}}, {$project: {specs: {$filter: {input: "$specs", cond: {$eq: ["$$this.k", "color"]}}}}}])
//----
db.products.find({"specs.k": "color"}, {specs: {$filter: {input: "$specs", as: "s", cond: {$eq: ["$$s.k", "color"]}}}})
//----
db.products.find({specs: {$elemMatch: {k: "color"}}}, {"specs.$": 1})
//----
db.products.find({"specs.k": "color"}).toArray().map(({_id, specs}) => ({specs: specs.filter(s => s.k === "color"), _id}))
//----
db.products.find({"specs.k": "color"}).projection({_id: 1, specs: {$elemMatch: {k: "color"}}}).sort({_id: -1})
//----
db.products.aggregate([{$match: {specs: {$elemMatch: {k: "color"}}}}, {$set: {specs: {$filter: {input: "$specs", as: "s", cond: {$in: ["$$s.k", ["color"]]}}}}}, {$unset: Object.keys(db.products.findOne()).filter(name => !["_id", "specs"].includes(name))}, {$project: {_id: 1, specs: 1}}])
//----
const out = []
db.products.find().forEach(p => {
  const color = (p.specs || []).find(s => s.k === "color")
  if (color) out.push({_id: p._id, specs: [color]})
})
out
//----
db.runCommand({find: "products", filter: {"specs.k": "color"}, projection: {specs: {$elemMatch: {k: "color"}}}})
//----
db.products.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$group: {_id: "$_id", specs: {$push: "$specs"}}}])
