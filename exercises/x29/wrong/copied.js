// caught-by: moved
db.goods.find().toArray().forEach(({_id, specs}) => db.goods.updateOne({_id}, {$set: {brand: specs.find(s => s.k === "brand").v, price: specs.find(s => s.k === "price").v}}))
db.goods.createIndex({brand: 1, price: 1})
