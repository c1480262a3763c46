db.products.updateOne({_id: 2}, {$set: {}})
