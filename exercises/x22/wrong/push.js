// caught-by: merged
db.products.updateMany({"specs.k": {$in: ["Color", "colour"]}}, {$pull: {specs: {k: {$in: ["Color", "colour"]}}}})
