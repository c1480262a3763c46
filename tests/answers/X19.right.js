db.products.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$group: {_id: {p: "$_id", c: "$specs.v"}}}, {$group: {_id: "$_id.c", n: {$sum: 1}}}])
//----
db.products.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$group: {_id: "$specs.v", ids: {$addToSet: "$_id"}}}, {$project: {n: {$size: "$ids"}}}])
//----
const colors = db.products.distinct("specs", {"specs.k": "color"}).filter(s => s.k === "color").map(s => s.v)
;[...new Set(colors)].map(_id => ({_id, n: db.products.countDocuments({specs: {$elemMatch: {k: "color", v: _id}}})}))
//----
const counts = {}
db.products.find().forEach(p => new Set((p.specs || []).filter(s => s.k === "color").map(s => s.v)).forEach(c => counts[c] = (counts[c] || 0) + 1))
Object.entries(counts).map(([_id, n]) => ({_id, n}))
//----
db.products.aggregate([
  {$match: {"specs.k": "color"}},
  {$project: {color: {$setUnion: {$map: {input: {$filter: {input: "$specs", cond: {$eq: ["$$this.k", "color"]}}}, in: "$$this.v"}}}}},
  {$unwind: "$color"}, {$sortByCount: "$color"}, {$project: {n: "$count"}}
])
//----
db.runCommand({aggregate: "products", cursor: {}, pipeline: [{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$group: {_id: {p: "$_id", c: "$specs.v"}}}, {$group: {_id: "$_id.c", n: {$count: {}}}}]})
//----
db.products.aggregate([{$facet: {colors: [{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$group: {_id: {p: "$_id", c: "$specs.v"}}}, {$group: {_id: "$_id.c", n: {$sum: 1}}}]}}, {$unwind: "$colors"}, {$replaceWith: "$colors"}])
//----
db.products.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$group: {_id: {p: "$_id", c: "$specs.v"}}}, {$group: {_id: "$_id.c", n: {$sum: NumberLong(1)}}}, {$sort: {_id: 1}}])
//----
db.products.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$group: {_id: "$specs.v", s: {$addToSet: "$_id"}}}]).toArray().map(g => ({n: g.s.length, _id: g._id}))
//----
const map = new Map()
for (const p of db.products.find({"specs.k": "color"}).toArray())
  for (const c of new Set(p.specs.filter(s => s.k === "color").map(s => s.v))) map.set(c, (map.get(c) ?? 0) + 1)
Array.from(map, ([_id, n]) => ({_id, n}))
