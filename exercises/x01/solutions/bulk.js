// en: The same rules, written with one bulkWrite.
// de: Dieselben Regeln, mit einem bulkWrite geschrieben.
const attribute = name => name === "batteryType" ? name : name.replace(/_(vendorA|apparel|electronics)$/, "")
const isAttribute = name => name === "batteryType" || attribute(name) !== name
const pair = ([name, v]) => {
  const parts = String(v).match(/^(\d+) (\S+)$/)
  return parts ? {k: attribute(name), v: NumberInt(parts[1]), u: parts[2]} : {k: attribute(name), v}
}
const work = db.products.find({attributes: {$exists: false}}).toArray().map(({_id, ...rest}) => {
  const old = Object.entries(rest).filter(([name]) => isAttribute(name))
  const update = {$set: {attributes: old.map(pair)}}
  if (old.length) update.$unset = Object.fromEntries(old.map(([name]) => [name, 1]))
  return {updateOne: {filter: {_id}, update}}
})
if (work.length) db.products.bulkWrite(work)
