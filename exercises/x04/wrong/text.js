// caught-by: ids
db.products.find({specs: {$elemMatch: {k: "ram", v: "16 GB"}}})
