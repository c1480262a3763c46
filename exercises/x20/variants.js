const prices = shuffle([...Array(60).keys()])
for (let id = 1; id <= 30; id++) db.products.insertOne({_id: id, specs: shuffle([{k: "price", v: prices[id]}, {k: "litres", v: int(0, 60)}, {k: "weight", v: int(0, 60)}]).slice(0, int(1, 3))})
