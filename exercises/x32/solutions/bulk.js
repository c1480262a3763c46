// en: With insertMany and createIndexes.
// de: Mit insertMany und createIndexes.
const rows = (n, keys) => Array.from({length: n}, (_, id) => [id, keys(id)])
const put = (name, data, all) => {
  db.getCollection(name + "_flat").insertMany(data.map(([_id, held]) => ({_id, ...Object.fromEntries(held.map(k => [k, "x" + _id]))})))
  db.getCollection(name + "_kv").insertMany(data.map(([_id, held]) => ({_id, specs: held.map(k => ({k, v: "x" + _id}))})))
  db.getCollection(name + "_flat").createIndexes(all.map(k => ({[k]: 1})))
  db.getCollection(name + "_kv").createIndex({"specs.k": 1, "specs.v": 1})
}
const k50 = Array.from({length: 50}, (_, n) => "k" + n)
put("sparse", rows(50, id => [k50[id]]), k50)
put("dense", rows(30, () => k50.slice(0, 8)), k50.slice(0, 8))
