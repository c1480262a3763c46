// caught-by: ids
db.products.find({specs: {$not: {$elemMatch: {k: "warranty", v: {$gt: 0}}}}, "specs.0": {$exists: true}})
