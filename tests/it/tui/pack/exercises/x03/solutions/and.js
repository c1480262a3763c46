// en: $and says the same in more words.
// de: $and sagt dasselbe mit mehr Worten.
db.products.find({$and: [
  {attributes: {$elemMatch: {k: "voltage", v: 20, u: "V"}}},
  {attributes: {$elemMatch: {k: "color", v: "Yellow"}}}
]})
