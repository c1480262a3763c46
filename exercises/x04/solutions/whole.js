// en: Comparing the element as a whole works while all have exactly these fields in this order.
// de: Das Element als Ganzes zu vergleichen geht, solange alle genau diese Felder in dieser Ordnung haben.
db.products.find({specs: {k: "ram", v: 16, u: "GB"}})
