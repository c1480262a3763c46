// en: A longer index with the same beginning serves too.
// de: Ein längerer Index mit demselben Anfang dient auch.
db.lamps.createIndex({"specs.k": 1, "specs.v": 1, _id: 1})
