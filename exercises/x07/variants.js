db.products.createIndex({"specs.k": 1, "specs.v": 1})
for (let id = 1; id <= 30; id++) db.products.insertOne({_id: id, name: "P" + id, specs: shuffle([{k: "voltage", v: pick([12, 230]), u: "V"}, {k: "pages", v: pick([230, 350])}, {k: "color", v: "red"}]).slice(0, int(0, 3))})
