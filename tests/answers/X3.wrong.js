db.products.find({attributes: {$all: [{$elemMatch: {k: "color", v: "Yellow"}}, {$elemMatch: {k: "voltage", v: "20"}}]}})
//----
db.products.find({attributes: {$all: [{$elemMatch: {k: "color", v: "Yellow"}}, {$elemMatch: {k: "voltage", v: {$gte: 20}}}]}})
//----
db.products.find({$or: [{attributes: {$elemMatch: {k: "color", v: "Yellow"}}}, {attributes: {$elemMatch: {k: "voltage", v: 20}}}]})
//----
db.products.find({attributes: {$elemMatch: {k: {$in: ["color", "voltage"]}, v: {$in: ["Yellow", 20]}}}})
//----
db.products.find({attributes: {$all: [{k: "color", v: "Yellow"}, {k: "voltage", v: 20}]}})
//----
db.products.find({attributes: {$all: [{$elemMatch: {k: "color", v: "Yellow"}}, {$elemMatch: {k: "voltage", v: 20}}]}}).limit(1)
//----
db.products.find({attributes: {$all: [{$elemMatch: {k: "color", v: "Yellow"}}, {$elemMatch: {v: 20}}]}})
//----
db.products.find({"attributes.0": {k: "color", v: "Yellow"}, "attributes.1": {k: "voltage", v: 20, u: "V"}})
//----
db.products.find({_id: {$in: [1, 4]}, attributes: {$elemMatch: {k: "color", v: "Yellow"}}})
//----
db.products.find({"attributes.k": "color", "attributes.v": "Yellow", attributes: {$elemMatch: {k: "voltage", v: 20}}})
//----
db.products.countDocuments({attributes: {$all: [{$elemMatch: {k: "color", v: "Yellow"}}, {$elemMatch: {k: "voltage", v: 20}}]}})
//----
db.products.find({attributes: {$size: 2, $all: [{$elemMatch: {k: "color", v: "Yellow"}}, {$elemMatch: {k: "voltage", v: 20}}]}})
