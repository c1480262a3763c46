db.products.createIndex({"specs.k": 1, "specs.v": 1})
db.products.insertMany([
  {_id: 1, name: "Cotton Shirt", specs: [{k: "color", v: "red"}, {k: "size", v: "XL"}]},
  {_id: 2, name: "Developer Laptop", specs: [{k: "ram", v: 16, u: "GB"}]},
  {_id: 3, name: "Kettle", specs: [{k: "voltage", v: 230, u: "V"}]}
])
