// caught-by: no-index
db.products.insertOne({_id: "cm", name: "Coffee Maker", specs: [{k: "voltage", v: 230, u: "V"}]})
db.products.createIndex({"specs.v": 1})
db.products.find({specs: {$elemMatch: {k: "voltage", v: 230}}})
