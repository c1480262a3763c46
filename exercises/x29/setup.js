db.goods.createIndex({"specs.k": 1, "specs.v": 1})
for (let i = 0; i < 30; i++) db.goods.insertOne({_id: i, specs: [
  {k: "brand", v: ["Acme", "Zeta"][i % 2]}, ...(i % 3 ? [{k: "color", v: "red"}] : []), {k: "price", v: (i * 7) % 31}, ...(i % 4 ? [] : [{k: "watt", v: i}, {k: "watt", v: i + 1}])]})
