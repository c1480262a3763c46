const colors = ["Yellow", "Red", "Black", "Green"]
const documents = []
for (let id = 1; id <= 40; id++) {
  const attributes = [
    {k: "color", v: pick(colors)},
    {k: "voltage", v: pick([12, 18, 20, 230]), u: "V"},
    {k: pick(["caseColor", "trim"]), v: pick(colors)},
    {k: pick(["range", "weight"]), v: pick([18, 20]), u: "m"}
  ]
  documents.push({_id: id, name: "Product " + id, attributes: shuffle(attributes).slice(0, int(0, 4))})
}
documents.push({_id: 90, name: "Both", attributes: shuffle([{k: "color", v: "Yellow"}, {k: "voltage", v: 20, u: "V"}])})
documents.push({_id: 91, name: "Crossed", attributes: shuffle([{k: "color", v: "Red"}, {k: "trim", v: "Yellow"}, {k: "voltage", v: 12, u: "V"}, {k: "range", v: 20, u: "m"}])})
documents.push({_id: 92, name: "Half crossed", attributes: shuffle([{k: "color", v: "Yellow"}, {k: "voltage", v: 18, u: "V"}, {k: "range", v: 20, u: "m"}])})
documents.push({_id: 93, name: "No attributes"})
db.products.createIndex({"attributes.k": 1, "attributes.v": 1})
db.products.insertMany(shuffle(documents))
