// caught-by: one-scan
db.products.find({$or: [{specs: {$elemMatch: {k: "color", v: "red"}}}, {specs: {$elemMatch: {k: "color", v: "blue"}}}]})
