// caught-by: state
db.products.updateOne({_id: 2}, {$set: {"specs.$[c].v": "black"}}, {arrayFilters: [{"c.v": "red"}]})
