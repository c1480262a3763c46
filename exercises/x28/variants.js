const tints = ["red", "blue", "green", "black"], kinds = ["bag", "hat", "laptop"], prices = shuffle([...Array(240).keys()])
for (let i = 0; i < 240; i++) db.goods.insertOne({_id: i, category: pick(kinds), price: prices[i], specs: shuffle([
  {k: "color", v: pick(tints)}, {k: "size", v: "S" + int(0, 4)}, {k: "ram", v: int(0, 59)}, {k: "maker", v: "M" + int(0, 79)}])})
