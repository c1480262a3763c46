db.products.updateOne({_id: 2}, {$set: {"specs.$[].v": "black"}})
//----
db.products.updateMany({"specs.k": "color"}, {$set: {"specs.$.v": "black"}})
//----
db.products.updateOne({_id: 2}, {$set: {specs: [{k: "color", v: "black"}]}})
//----
db.products.updateOne({_id: 2}, {$push: {specs: {k: "color", v: "black"}}})
//----
db.products.updateOne({_id: 2}, {$set: {color: "black"}})
//----
db.products.updateOne({_id: 2, "specs.k": "color"}, {$set: {"specs.$.v": "Black"}})
//----
db.products.updateOne({_id: 2, "specs.v": {$exists: true}}, {$set: {"specs.$.v": "black"}})
//----
db.products.updateOne({_id: 2, "specs.k": "color"}, {$set: {"specs.$": {v: "black"}}})
//----
db.products.updateOne({_id: "2", "specs.k": "color"}, {$set: {"specs.$.v": "black"}})
//----
db.products.updateOne({"specs.k": "color"}, {$set: {"specs.$.v": "black"}})
//----
db.products.updateOne({_id: 2}, {$pull: {specs: {k: "color"}}})
