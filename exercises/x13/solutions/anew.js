// en: All away, and the two wanted ones made.
// de: Alle weg, und die zwei gewünschten angelegt.
db.laptops.dropIndexes()
db.laptops.createIndexes([{name: 1}, {"specs.k": 1, "specs.v": 1}])
