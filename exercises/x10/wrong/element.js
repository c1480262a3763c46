// caught-by: ids, elemmatch-ne-matches-almost-all
db.products.find({specs: {$elemMatch: {k: {$nin: ["warranty"]}}}})
