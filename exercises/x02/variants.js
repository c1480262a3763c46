const documents = []
for (let id = 1; id <= 60; id++) documents.push({_id: id, specs: shuffle([
  {k: "color", v: pick(["red", "blue", "green"])}, {k: "ram", v: pick([4, 8, 16, 32])},
  {k: "watt", v: int(1, 90)}, {k: "voltage", v: pick([12, 230])}]).slice(0, int(1, 4))})
db.products.insertMany(documents)
