// en: The price computed into a field.
// de: Der Preis in ein Feld berechnet.
db.products.aggregate([{$match: {"specs.k": "price"}},
  {$set: {price: {$first: {$map: {input: {$filter: {input: "$specs", as: "s", cond: {$eq: ["$$s.k", "price"]}}}, as: "s", in: "$$s.v"}}}}},
  {$sort: {price: 1}}])
