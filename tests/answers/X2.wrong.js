db.products.createIndex({"specs.v": 1, "specs.k": 1})
//----
db.products.createIndex({"specs.k": 1})
//----
db.products.createIndex({specs: 1})
//----
db.products.createIndex({"specs.k": 1})
db.products.createIndex({"specs.v": 1})
//----
db.products.createIndex({"$**": 1})
//----
db.products.createIndex({"specs.$**": 1})
//----
db.products.createIndex({"attributes.k": 1, "attributes.v": 1})
//----
db.products.createIndex({"specs.k": 1, "specs.v": 1}, {partialFilterExpression: {"specs.k": "color"}})
//----
db.products.createIndex({"specs.k": 1, name: 1, "specs.v": 1})
//----
db.products.createIndex({"specs.color": 1, "specs.ram": 1, "specs.watt": 1})
//----
db.product.createIndex({"specs.k": 1, "specs.v": 1})
