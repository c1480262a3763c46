// caught-by: set
db.products.updateMany({"specs.k": {$ne: "warranty"}}, {$push: {specs: {k: "warranty", v: 24}}})
