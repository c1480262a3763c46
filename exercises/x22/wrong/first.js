// caught-by: merged, positional-updates-first-only
db.products.updateMany({"specs.k": {$in: ["Color", "colour"]}}, {$set: {"specs.$.k": "color"}})
