db.shirts.createIndex({"specs.k": 1, "specs.v": 1})
for (let id = 1; id <= 20; id++) db.shirts.insertOne({_id: id, specs: shuffle([{k: "color", v: pick(["red", "blue"])}, {k: "trim", v: pick(["red", "blue"])}, {k: "size", v: "S"}]).slice(0, int(1, 3))})
db.shirts.insertOne({_id: 90, specs: [{k: "color", v: "blue"}, {k: "trim", v: "red"}]})
