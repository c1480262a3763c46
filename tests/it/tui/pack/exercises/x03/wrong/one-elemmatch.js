// caught-by: ids
db.products.find({attributes: {$elemMatch: {k: {$in: ["color", "voltage"]}, v: {$in: ["Yellow", 20]}}}})
