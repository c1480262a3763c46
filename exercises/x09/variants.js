db.lamps.createIndex({"specs.k": 1, "specs.v": 1})
for (let id = 1; id <= 40; id++) db.lamps.insertOne({_id: id, specs: shuffle([{k: "watt", v: int(1, 40)}, {k: "lumen", v: int(1, 40)}, {k: "dimmed", v: int(1, 40)}]).slice(0, int(1, 3))})
db.lamps.insertMany([{_id: 90, specs: [{k: "watt", v: 5}, {k: "full", v: 60}]}, {_id: 91, specs: [{k: "watt", v: 40}, {k: "dimmed", v: 15}]}, {_id: 92, specs: [{k: "watt", v: 10}]}, {_id: 93, specs: [{k: "watt", v: 20}]}])
