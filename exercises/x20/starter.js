db.products.find({"specs.k": "price"}).sort({"specs.v": 1})
