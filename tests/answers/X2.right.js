db.products.createIndex({"specs.k": 1, "specs.v": 1}, {name: "attributes"})
//----
db.products.createIndexes([{"specs.k": 1, "specs.v": 1}])
//----
db.runCommand({createIndexes: "products", indexes: [{key: {"specs.k": 1, "specs.v": 1}, name: "kv"}]})
//----
db.products.createIndex({"specs.k": -1, "specs.v": -1})
//----
db.products.createIndex({"specs.k": 1, "specs.v": -1})
//----
db.products.createIndex({"specs.k": 1, "specs.v": 1, name: 1})
//----
db.products.createIndex({"specs.v": 1})
db.products.dropIndex({"specs.v": 1})
db.products.createIndex({"specs.k": 1, "specs.v": 1})
//----
const keys = {}
for (const part of ["k", "v"]) keys["specs." + part] = 1
db.getCollection("products").createIndex(keys)
//----
db.products.createIndex({"specs.k": 1, "specs.v": 1, "specs.u": 1})
//----
if (!db.products.getIndexes().some(index => index.name === "kv")) db.products.createIndex({"specs.k": 1, "specs.v": 1}, {name: "kv"})
