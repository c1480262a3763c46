db.products.distinct("specs.k")
