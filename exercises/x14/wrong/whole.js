// caught-by: state, set-replaces-whole-array
db.products.updateOne({_id: 2}, {$set: {specs: [{k: "color", v: "black"}]}})
