// en: $in gives one scan with an interval per value.
// de: $in gibt einen Lauf mit einem Intervall je Wert.
db.products.find({specs: {$elemMatch: {k: "color", v: {$in: ["red", "blue"]}}}})
