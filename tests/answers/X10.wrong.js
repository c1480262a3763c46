db.products.find({specs: {$elemMatch: {k: {$ne: "warranty"}}}})
//----
db.products.find({"specs.k": {$ne: "warranty", $exists: true}})
//----
db.products.find({"specs.warranty": {$exists: false}})
//----
db.products.find({$or: [{specs: []}, {specs: {$exists: false}}]})
//----
db.products.find({"specs.0.k": {$ne: "warranty"}})
//----
db.products.aggregate([{$unwind: "$specs"}, {$group: {_id: "$_id", keys: {$push: "$specs.k"}}}, {$match: {keys: {$ne: "warranty"}}}])
//----
db.products.find({"specs.v": {$ne: "warranty"}})
//----
db.products.find({specs: {$ne: {k: "warranty"}}})
//----
db.products.find({"specs.k": {$not: /warranty/i}, specs: {$type: "array"}})
//----
db.products.find({"specs.k": {$ne: "warranty"}}).skip(1)
//----
db.products.find({specs: {$not: {$elemMatch: {k: "warranty", v: {$gt: 0}}}}, "specs.k": {$ne: "x"}, "specs.0": {$exists: true}})
