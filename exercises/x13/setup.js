db.laptops.createIndex({"attributes.k": 1, "attributes.v": 1})
db.laptops.createIndex({name: 1})
for (let i = 0; i < 20; i++) db.laptops.insertOne({_id: i, name: "L" + i, specs: [{k: "ram", v: 4 << (i % 4)}, {k: "storage", v: 16 << (i % 6)}]})
