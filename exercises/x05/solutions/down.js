// en: Descending works as well.
// de: Absteigend geht auch.
db.lamps.createIndex({"specs.k": -1, "specs.v": -1})
