// en: A name of your own, and createIndexes.
// de: Ein eigener Name, und createIndexes.
db.products.createIndexes([{"specs.k": -1, "specs.v": 1}], {name: "attributes"})
