db.products.find({"specs.v": {$ne: "red"}})
