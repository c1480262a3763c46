// caught-by: added
db.products.insertOne({_id: "cm", name: "Coffee Maker", voltage: 230})
db.products.find({specs: {$elemMatch: {k: "voltage", v: 230}}})
