db.products.find({specs: {$elemMatch: {k: {$ne: "warranty"}}}})
