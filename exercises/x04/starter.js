db.products.find({})
