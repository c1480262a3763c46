db.products.find({"specs.k": "color"})
