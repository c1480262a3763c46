db.products.createIndex({"specs.k": 1, "specs.v": 1})
for (let id = 1; id <= 30; id++) db.products.insertOne({_id: id, specs: shuffle([{k: "color", v: "red"}, {k: "warranty", v: 24}, {k: "note", v: "warranty"}]).slice(0, int(0, 3))})
db.products.insertMany([{_id: 90}, {_id: 91, specs: []}, {_id: 92, specs: [{k: "warranty", v: 0}, {k: "color", v: "red"}]}, {_id: 93, specs: [{k: "note", v: "warranty"}]}])
