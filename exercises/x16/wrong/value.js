// caught-by: removed
db.products.updateMany({}, {$pull: {specs: {$or: [{k: "stock"}, {v: "stock"}]}}})
