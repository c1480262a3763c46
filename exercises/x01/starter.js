db.products.find()
