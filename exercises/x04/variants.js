const documents = []
for (let id = 1; id <= 40; id++) documents.push({_id: id, specs: shuffle([
  {k: "ram", v: pick([4, 8, 16]), u: "GB"}, {k: "storage", v: pick([16, 64, 512]), u: "GB"}, {k: "cores", v: pick([4, 8, 16])}]).slice(0, int(0, 3))})
documents.push({_id: 90, specs: [{k: "ram", v: 8, u: "GB"}, {k: "storage", v: 16, u: "GB"}]}, {_id: 91, specs: [{k: "storage", v: 512, u: "GB"}, {k: "ram", v: 16, u: "GB"}]})
db.products.insertMany(documents)
