db.products.updateMany({"specs.k": "warranty"}, {$set: {"specs.$.v": 24}})
//----
db.products.updateMany({}, {$push: {specs: {k: "warranty", v: 24}}})
//----
db.products.updateMany({}, {$addToSet: {specs: {k: "warranty", v: 24}}})
//----
db.products.updateMany({}, {$set: {"specs.$[w].v": 24}}, {arrayFilters: [{"w.k": "warranty"}]})
//----
db.products.updateMany({"specs.k": {$ne: "warranty"}}, {$push: {specs: {k: "warranty", v: 24}}})
//----
db.products.updateMany({}, {$set: {specs: [{k: "warranty", v: 24}]}})
//----
db.products.updateMany({}, {$pull: {specs: {k: "warranty"}}})
db.products.updateMany({specs: {$exists: true}}, {$push: {specs: {k: "warranty", v: 24}}})
//----
db.products.updateMany({}, {$pull: {specs: {k: "warranty"}}})
db.products.updateMany({}, {$push: {specs: {k: "warranty", v: "24"}}})
//----
db.products.updateMany({}, {$pull: {specs: {k: "warranty"}}})
db.products.updateMany({}, {$push: {specs: {k: "warranty", v: 24, u: "months"}}})
//----
db.products.updateOne({}, {$pull: {specs: {k: "warranty"}}})
db.products.updateOne({}, {$push: {specs: {k: "warranty", v: 24}}})
//----
db.products.updateMany({"specs.k": "warranty"}, {$set: {"specs.$": {k: "warranty", v: 24}}})
db.products.updateMany({"specs.k": {$ne: "warranty"}}, {$push: {specs: {k: "warranty", v: 24}}})
