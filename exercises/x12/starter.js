db.products.find({$or: []})
