db.products.createIndex({})
