const parts = ["steel", "carbon", "aluminium"]
db.bikes.createIndex({"specs.k": 1, "specs.v": 1})
for (let id = 1; id <= 30; id++) db.bikes.insertOne({_id: id, specs: shuffle([{k: "frame", v: pick(parts)}, {k: "fork", v: pick(parts)}, {k: "seat", v: pick(parts)}]).slice(0, int(1, 3))})
db.bikes.insertMany([{_id: 90, specs: [{k: "fork", v: "carbon"}, {k: "frame", v: "steel"}]}, {_id: 91, specs: [{k: "frame", v: "carbon"}]}])
