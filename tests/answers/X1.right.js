const rule = {$reduce: {
  input: {$objectToArray: "$$ROOT"}, initialValue: [],
  in: {$let: {
    vars: {m: {$regexFind: {input: "$$this.k", regex: /^(.+)_(vendorA|apparel|electronics)$/}}},
    in: {$let: {
      vars: {key: {$cond: [{$eq: ["$$this.k", "batteryType"]}, "batteryType", {$arrayElemAt: ["$$m.captures", 0]}]},
             unit: {$cond: [{$eq: [{$type: "$$this.v"}, "string"]}, {$regexFind: {input: "$$this.v", regex: /^(\d+) (\S+)$/}}, null]}},
      in: {$concatArrays: ["$$value", {$cond: [{$gt: ["$$key", null]},
        [{$cond: ["$$unit",
          {k: "$$key", v: {$toInt: {$arrayElemAt: ["$$unit.captures", 0]}}, u: {$arrayElemAt: ["$$unit.captures", 1]}},
          {k: "$$key", v: "$$this.v"}]}], []]}]}
    }}
  }}
}}
db.products.updateMany({attributes: {$exists: false}}, [
  {$set: {attributes: rule}},
  {$replaceWith: {$arrayToObject: {$filter: {input: {$objectToArray: "$$ROOT"}, cond: {$not: [{$regexMatch: {input: "$$this.k", regex: /^(batteryType$|.+_(vendorA|apparel|electronics)$)/}}]}}}}}
])
//----
const endings = ["_vendorA", "_apparel", "_electronics"]
for (const product of db.products.find({attributes: {$exists: false}}).toArray()) {
  const attributes = [], $unset = {}
  for (const name of Object.keys(product)) {
    const ending = endings.find(e => name.endsWith(e) && name.length > e.length)
    if (!ending && name !== "batteryType") continue
    const k = ending ? name.slice(0, -ending.length) : name
    let v = product[name]
    const found = typeof v === "string" && v.match(/^([0-9]+) ([^ ]+)$/)
    attributes.unshift(found ? {k, v: Int32(parseInt(found[1])), u: found[2]} : {k, v})
    $unset[name] = ""
  }
  db.products.bulkWrite([{updateOne: {filter: {_id: product._id}, update: Object.keys($unset).length ? {$set: {attributes}, $unset} : {$set: {attributes}}}}])
}
