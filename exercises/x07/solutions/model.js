// en: A new attribute is a new key in the same index.
// de: Ein neues Attribut ist ein neuer Schlüssel im selben Index.
db.products.insertOne({_id: "cm", name: "Coffee Maker", specs: [{k: "voltage", v: 230, u: "V"}]})
db.products.find({specs: {$elemMatch: {k: "voltage", v: 230}}})
