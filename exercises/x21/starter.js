db.products.createIndex({category: 1})
