db.laptops.createIndex({"attributes.k": 1, "attributes.v": 1})
db.laptops.createIndex({name: 1})
for (let i = 0; i < 50; i++) db.laptops.insertOne({_id: i, name: "L" + i, specs: shuffle([{k: "ram", v: pick([4, 8, 16])}, {k: "storage", v: pick([16, 512])}])})
