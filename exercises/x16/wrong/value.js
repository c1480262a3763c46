// caught-by: removed
db.products.updateMany({}, {$pull: {specs: {k: {$in: ["stock", "note"]}}}})
