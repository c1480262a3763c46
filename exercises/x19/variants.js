db.products.insertOne({_id: 90, specs: [{k: "color", v: "teal"}]})
const colors = ["red", "blue", "green"]
for (let id = 1; id <= 40; id++) db.products.insertOne(chance(0.1) ? {_id: id} : {_id: id, specs: shuffle([{k: "color", v: pick(colors)}, {k: "color", v: pick(colors)}, {k: "trim", v: pick(colors)}, {k: "size", v: "M"}]).slice(0, int(0, 4))})
