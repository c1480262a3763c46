// en: Drop by name.
// de: Nach Namen entfernen.
db.laptops.createIndex({"specs.k": 1, "specs.v": 1})
db.laptops.dropIndex("attributes.k_1_attributes.v_1")
