db.products.updateMany({"specs.k": "stock"}, {$unset: {"specs.$": 1}})
