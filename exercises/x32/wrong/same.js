// caught-by: sparse
function build(name, keys) {
  for (let id = 0; id < 40; id++) {
    const facts = Object.fromEntries(keys.map(k => [k, id]))
    db[name + "_flat"].insertOne({_id: id, ...facts})
    db[name + "_kv"].insertOne({_id: id, specs: Object.entries(facts).map(([k, v]) => ({k, v}))})
  }
  keys.forEach(k => db[name + "_flat"].createIndex({[k]: 1}))
  db[name + "_kv"].createIndex({"specs.k": 1, "specs.v": 1})
}
build("sparse", ["a1", "a2", "a3", "a4", "a5"])
build("dense", ["a1", "a2", "a3", "a4", "a5"])
