db.goods.createIndex({"specs.k": 1, "specs.v": 1})
for (let i = 0; i < 40; i++) db.goods.insertOne({_id: i, specs: shuffle([
  {k: "brand", v: pick(["Acme", "Zeta"])}, {k: "price", v: int(1, 500)}, ...shuffle([{k: "color", v: "red"}, {k: "watt", v: 5}, {k: "watt", v: 7}]).slice(0, int(0, 3))])})
