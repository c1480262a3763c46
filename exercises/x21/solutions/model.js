// en: Three equalities, then the sort.
// de: Drei Gleichheiten, dann die Sortierung.
db.products.createIndex({category: 1, "specs.k": 1, "specs.v": 1, price: 1})
