const documents = []
for (let id = 1; id <= 25; id++) {
  const document = {_id: id, name: "Product " + id, sku: "P-" + id}
  if (chance(0.6)) document.color_vendorA = pick(["Yellow", "Blue", "Deep Red"])
  if (chance(0.4)) document.size_apparel = pick(["S", "XL", 42])
  if (chance(0.5)) document.voltage_electronics = pick(["20 V", "230 V", "12 V"])
  if (chance(0.3)) document.weight_vendorA = pick(["3 kg", "12 kg"])
  if (chance(0.3)) document.batteryType = pick(["Li-Ion", "NiMH"])
  if (chance(0.5)) document.price = int(5, 90)
  documents.push(document)
}
db.products.insertMany(documents)
