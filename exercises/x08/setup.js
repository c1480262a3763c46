db.products.createIndex({"specs.k": 1, "specs.v": 1})
db.products.insertMany([
  {_id: 1, name: "Shirt", specs: [{k: "size", v: "XL"}, {k: "color", v: "red"}]},
  {_id: 2, name: "Cap", specs: [{k: "color", v: "blue"}, {k: "material", v: "wool"}]},
  {_id: 3, name: "Book", specs: [{k: "pages", v: 350}]}
])
