db.products.createIndex({"specs.k": 1, "specs.v": 1})
const colors = ["red", "blue", "green", "black"]
for (let id = 1; id <= 40; id++) db.products.insertOne({_id: id, specs: shuffle([{k: "color", v: pick(colors)}, {k: "trim", v: pick(colors)}, {k: "size", v: "S"}]).slice(0, int(0, 3))})
