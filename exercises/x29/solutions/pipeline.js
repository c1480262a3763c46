// en: The same inside the server.
// de: Dasselbe im Server.
const pickOut = k => ({$first: {$map: {input: {$filter: {input: "$specs", as: "s", cond: {$eq: ["$$s.k", k]}}}, as: "s", in: "$$s.v"}}})
db.goods.updateMany({brand: {$exists: false}}, [{$set: {brand: pickOut("brand"), price: pickOut("price"),
  specs: {$filter: {input: "$specs", as: "s", cond: {$not: [{$in: ["$$s.k", ["brand", "price"]]}]}}}}}])
db.goods.createIndex({brand: 1, price: 1})
