var tints = ["red", "blue", "green", "black"], kinds = ["bag", "hat", "laptop"]
for (let i = 0; i < 240; i++) db.goods.insertOne({_id: i, category: kinds[i % 3], price: (i * 89) % 241, specs: [
  {k: "color", v: tints[i % 4]}, {k: "size", v: "S" + i % 5}, {k: "ram", v: i % 60}, {k: "maker", v: "M" + i % 80}]})
