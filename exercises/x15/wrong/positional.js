// caught-by: set
db.products.updateMany({"specs.k": "warranty"}, {$set: {"specs.$.v": 24}})
db.products.updateMany({"specs.k": {$ne: "warranty"}}, {$push: {specs: {k: "warranty", v: 24}}})
