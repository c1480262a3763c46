// caught-by: state
db.products.updateOne({_id: 2}, {$set: {"specs.1.v": "black"}})
