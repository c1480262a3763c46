// en: An upsert makes it as well.
// de: Auch ein Upsert legt es an.
db.products.replaceOne({_id: "cm"}, {name: "Coffee Maker", specs: [{k: "voltage", v: 230, u: "V"}]}, {upsert: true})
db.products.find({specs: {$elemMatch: {k: "voltage", v: {$eq: 230}}}})
