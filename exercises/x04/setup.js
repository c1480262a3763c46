db.products.createIndex({"specs.k": 1, "specs.v": 1})
db.products.insertMany([
  {_id: 1, name: "Developer Laptop", specs: [{k: "ram", v: 16, u: "GB"}, {k: "storage", v: 512, u: "GB"}]},
  {_id: 2, name: "Thin Laptop", specs: [{k: "ram", v: 8, u: "GB"}, {k: "storage", v: 64, u: "GB"}]},
  {_id: 3, name: "USB Stick", specs: [{k: "storage", v: 16, u: "GB"}]},
  {_id: 4, name: "Cotton Shirt", specs: [{k: "color", v: "red"}]}
])
