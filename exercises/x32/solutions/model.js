// en: Sparse data fill flat indexes with null; dense data repeat the key in each pair.
// de: Dünne Daten füllen flache Indexe mit null; dichte Daten wiederholen den Schlüssel in jedem Paar.
function build(name, keys, has) {
  for (let id = 0; id < 40; id++) {
    const facts = Object.fromEntries(keys.filter((k, n) => has(id, n)).map(k => [k, id]))
    db[name + "_flat"].insertOne({_id: id, ...facts})
    db[name + "_kv"].insertOne({_id: id, specs: Object.entries(facts).map(([k, v]) => ({k, v}))})
  }
  keys.forEach(k => db[name + "_flat"].createIndex({[k]: 1}))
  db[name + "_kv"].createIndex({"specs.k": 1, "specs.v": 1})
}
const many = [...Array(30).keys()].map(n => "attribute" + n)
build("sparse", many, (id, n) => id % 30 === n)
build("dense", many.slice(0, 6), () => true)
