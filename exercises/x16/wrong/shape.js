// caught-by: removed
db.products.updateMany({}, {$pull: {specs: {k: "stock", v: 0}}})
