// en: The equalities may stand in any order.
// de: Die Gleichheiten dürfen in jeder Ordnung stehen.
db.products.createIndex({"specs.k": 1, "specs.v": 1, category: 1, price: 1})
