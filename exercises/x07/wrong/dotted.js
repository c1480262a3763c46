// caught-by: found
db.products.insertOne({_id: "cm", name: "Coffee Maker", specs: [{k: "voltage", v: 230, u: "V"}]})
db.products.find({"specs.k": "voltage", "specs.v": 230})
