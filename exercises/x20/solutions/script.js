// en: Sorted in JavaScript.
// de: In JavaScript sortiert.
db.products.find({"specs.k": "price"}).toArray()
  .map(p => ({_id: p._id, price: p.specs.find(s => s.k === "price").v}))
  .sort((a, b) => a.price - b.price)
