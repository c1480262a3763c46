// caught-by: order, sort-by-any-element
db.products.find({specs: {$elemMatch: {k: "price"}}}).sort({"specs.v": 1})
