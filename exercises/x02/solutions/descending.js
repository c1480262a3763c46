// en: The direction does not matter for searching.
// de: Die Richtung ist für das Suchen gleich.
db.products.createIndex({"specs.k": 1, "specs.v": -1})
