db.products.updateMany({}, {$rename: {color_vendorA: "color"}})
//----
db.products.find().toArray().forEach(old => {
  const kept = {}, attributes = []
  for (const [name, v] of Object.entries(old)) {
    const ending = /^(.+)_(vendorA|apparel|electronics)$/.exec(name)
    if (!ending) { kept[name] = v; continue }
    attributes.push({k: ending[1], v})
  }
  db.products.replaceOne({_id: old._id}, {...kept, attributes})
})
//----
db.products.find().toArray().forEach(old => {
  const kept = {}, attributes = []
  for (const [name, v] of Object.entries(old)) {
    const ending = /^(.+)_(vendorA|apparel|electronics)$/.exec(name)
    const k = ending ? ending[1] : name === "batteryType" ? name : undefined
    if (k === undefined) { kept[name] = v; continue }
    const parts = typeof v === "string" ? /^(\d+) (\S+)$/.exec(v) : null
    attributes.push(parts ? {k, v: NumberInt(parts[1]), u: parts[2]} : {k, v})
  }
  db.products.replaceOne({_id: old._id}, {...kept, attributes})
})
