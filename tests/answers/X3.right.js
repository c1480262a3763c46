db.products.find({$and: [{attributes: {$elemMatch: {k: "color", v: "Yellow"}}}, {attributes: {$elemMatch: {k: "voltage", v: 20}}}]})
//----
db.products.aggregate([{$match: {attributes: {$all: [{$elemMatch: {k: "voltage", v: 20}}, {$elemMatch: {k: "color", v: "Yellow"}}]}}}])
//----
db.runCommand({find: "products", filter: {attributes: {$all: [{$elemMatch: {k: "color", v: "Yellow"}}, {$elemMatch: {k: "voltage", v: 20}}]}}})
//----
const found = []
db.products.find({attributes: {$elemMatch: {v: {$eq: "Yellow"}, k: {$eq: "color"}}}}).forEach(product => {
  if (product.attributes.some(a => a.k === "voltage" && a.v === 20)) found.push(product)
})
found
//----
const cursor = db.getCollection("products").find({attributes: {$all: [{$elemMatch: {k: "color", v: "Yellow"}}, {$elemMatch: {k: "voltage", v: 20}}]}}, {name: 1})
const all = []
while (cursor.hasNext()) all.push(cursor.next())
all
//----
db.products.distinct("_id", {attributes: {$all: [{$elemMatch: {k: "color", v: "Yellow"}}, {$elemMatch: {k: "voltage", v: 20}}]}})
//----
db["products"].find({attributes: {$elemMatch: {k: "color", v: "Yellow"}}, $and: [{attributes: {$elemMatch: {k: "voltage", v: NumberLong(20)}}}]}).sort({name: -1}).limit(1000)
//----
db.products.aggregate([
  {$match: {attributes: {$elemMatch: {k: "color", v: {$in: ["Yellow"]}}}}},
  {$match: {attributes: {$elemMatch: {k: "voltage", v: {$in: [20]}}}}},
  {$project: {_id: 1}}
]).toArray()
//----
const wanted = [["color", "Yellow"], ["voltage", 20]]
db.products.find({attributes: {$all: wanted.map(([k, v]) => ({$elemMatch: {k, v}}))}}).hint({"attributes.k": 1, "attributes.v": 1})
//----
db.products.find({attributes: {$all: [{$elemMatch: {k: "color", v: "Yellow"}}, {$elemMatch: {k: "voltage", v: 20}}]}}).forEach(product => print(product.name))
//----
const result = db.products.find({attributes: {$all: [{$elemMatch: {k: "color", v: "Yellow"}}, {$elemMatch: {k: "voltage", v: {$gte: 20, $lte: 20}}}]}}).toArray();
//----
db.products.find({attributes: {$not: {$not: {$elemMatch: {k: "color", v: "Yellow"}}}, $all: [{$elemMatch: {k: "voltage", v: 20}}]}}).map(product => product._id)
