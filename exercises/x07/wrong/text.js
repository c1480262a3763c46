// caught-by: added
db.products.insertOne({_id: "cm", name: "Coffee Maker", specs: [{k: "voltage", v: "230 V"}]})
db.products.find({specs: {$elemMatch: {k: "voltage", v: "230 V"}}})
