// caught-by: ids
db.products.find({attributes: {$all: [
  {$elemMatch: {k: "color", v: "Yellow"}}, {$elemMatch: {k: "voltage", v: "20 V"}}
]}})
