// en: $nin with one value.
// de: $nin mit einem Wert.
db.products.find({specs: {$elemMatch: {k: "color", v: {$nin: ["red"]}}}})
