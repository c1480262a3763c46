// en: A loop says the rules one by one. The filter keeps a second run from doing anything.
// de: Eine Schleife sagt die Regeln der Reihe nach. Der Filter hält einen zweiten Lauf davon ab, etwas zu
// de: tun.
db.products.find({attributes: {$exists: false}}).toArray().forEach(old => {
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
