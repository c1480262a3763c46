// caught-by: ids
db.products.find({specs: {$not: {$elemMatch: {k: "color", v: "red"}}}})
