// caught-by: removed
db.products.updateOne({"specs.k": "stock"}, {$pull: {specs: {k: "stock"}}})
