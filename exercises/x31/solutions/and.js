// en: The same mistake with $and.
// de: Derselbe Fehler mit $and.
db.shirts.find({$and: [{"specs.v": "red"}, {"specs.k": "color"}]}).toArray()
db.shirts.find({specs: {$elemMatch: {v: "red", k: "color"}}})
