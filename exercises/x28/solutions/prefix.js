// en: With the category between value and price; searches without a category have no sort to serve.
// de: Mit der Kategorie zwischen Wert und Preis; Suchen ohne Kategorie brauchen keine Sortierung.
db.goods.createIndex({"specs.k": 1, "specs.v": 1, category: 1, price: 1})
db.goods.createIndex({price: -1})
