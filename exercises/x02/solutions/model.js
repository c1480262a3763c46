// en: Key first, value second: all entries of one key stand together in the order of their values.
// de: Erst der Schlüssel, dann der Wert: Alle Einträge eines Schlüssels stehen beieinander, nach Wert
// de: geordnet.
db.products.createIndex({"specs.k": 1, "specs.v": 1})
