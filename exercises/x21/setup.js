var tints = ["red", "blue", "green"], kinds = ["bag", "hat"]
for (let i = 0; i < 60; i++) db.products.insertOne({_id: i, category: kinds[i % 2], price: (i * 37) % 101, specs: [{k: "color", v: tints[i % 3]}, {k: "litres", v: i % 5}]})
