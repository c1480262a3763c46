db.products.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$group: {_id: "$specs.v", n: {$sum: 1}}}])
//----
db.products.aggregate([{$unwind: "$specs"}, {$group: {_id: "$specs.v", ids: {$addToSet: "$_id"}}}, {$project: {n: {$size: "$ids"}}}])
//----
db.products.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$group: {_id: "$specs.v", ids: {$addToSet: "$_id"}}}, {$project: {count: {$size: "$ids"}}}])
//----
db.products.aggregate([{$match: {"specs.k": "color"}}, {$group: {_id: "$specs.v", n: {$sum: 1}}}])
//----
db.products.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$group: {_id: "$_id", c: {$first: "$specs.v"}}}, {$group: {_id: "$c", n: {$sum: 1}}}])
//----
db.products.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$group: {_id: {p: "$_id", c: "$specs.v"}}}, {$group: {_id: {c: "$_id.c"}, n: {$sum: 1}}}])
//----
db.products.aggregate([{$unwind: {path: "$specs", preserveNullAndEmptyArrays: true}}, {$group: {_id: {p: "$_id", c: {$cond: [{$eq: ["$specs.k", "color"]}, "$specs.v", null]}}}}, {$group: {_id: "$_id.c", n: {$sum: 1}}}])
//----
db.products.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$group: {_id: {p: "$_id", c: "$specs.v"}}}, {$group: {_id: "$_id.c", n: {$sum: 1}}}, {$match: {n: {$gt: 1}}}])
//----
db.products.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$group: {_id: {p: "$_id", c: "$specs.v"}}}, {$group: {_id: "$_id.c", n: {$sum: 1}}}, {$limit: 2}])
//----
db.products.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$group: {_id: {p: "$_id", c: "$specs.v"}}}, {$group: {_id: "$_id.c", n: {$sum: 1}}}, {$set: {n: {$toString: "$n"}}}])
