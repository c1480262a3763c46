// caught-by: ids
db.products.find({
  attributes: {$elemMatch: {k: "color", v: "Yellow"}},
  attributes: {$elemMatch: {k: "voltage", v: 20}}
})
