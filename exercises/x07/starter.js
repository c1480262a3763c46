db.products.insertOne({_id: "cm"})
