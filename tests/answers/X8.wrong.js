db.products.find({"specs.k": "color"})
//----
db.products.find({"specs.k": "color"}, {specs: 1})
//----
db.products.find({"specs.k": "color"}, {specs: {$slice: 1}})
//----
db.products.find({}, {specs: {$elemMatch: {k: "color"}}})
//----
db.products.find({"specs.k": "color"}, {name: 1, specs: {$elemMatch: {k: "color"}}})
//----
db.products.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$project: {specs: 1}}])
//----
db.products.find({"specs.k": "color"}, {_id: 0, specs: {$elemMatch: {k: "color"}}})
//----
db.products.aggregate([{$project: {specs: {$filter: {input: "$specs", cond: {$eq: ["$$this.k", "color"]}}}}}])
//----
db.products.aggregate([{$match: {"specs.k": "color"}}, {$project: {specs: {$map: {input: {$filter: {input: "$specs", cond: {$eq: ["$$this.k", "color"]}}}, in: {v: "$$this.v"}}}}}])
//----
db.products.find({"specs.k": "color"}, {specs: {$elemMatch: {k: {$ne: "size"}}}})
