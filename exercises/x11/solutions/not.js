// en: $not with $eq.
// de: $not mit $eq.
db.products.find({specs: {$elemMatch: {k: "color", v: {$not: {$eq: "red"}}}}})
