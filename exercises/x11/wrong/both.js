// caught-by: ids
db.products.find({$and: [{"specs.k": "color"}, {specs: {$not: {$elemMatch: {k: "color", v: "red"}}}}]})
