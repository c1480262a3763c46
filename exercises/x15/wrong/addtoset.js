// caught-by: set
db.products.updateMany({}, {$addToSet: {specs: {k: "warranty", v: 24}}})
