// en: Drop by key pattern, create on the path the data has.
// de: Nach Muster entfernen, auf dem Pfad anlegen, den die Daten haben.
db.laptops.dropIndex({"attributes.k": 1, "attributes.v": 1})
db.laptops.createIndex({"specs.k": 1, "specs.v": 1})
