// caught-by: facts
for (let id = 0; id < 40; id++) {
  db.sparse_flat.insertOne({_id: id, a: 1, b: 2, c: 3, d: 4, e: 5})
  db.sparse_kv.insertOne({_id: id, specs: [{k: "a", v: 1}]})
  db.dense_flat.insertOne({_id: id, a: 1})
  db.dense_kv.insertOne({_id: id, specs: ["a", "b", "c", "d", "e"].map(k => ({k, v: 1}))})
}
for (const k of ["a", "b", "c", "d", "e"]) { db.sparse_flat.createIndex({[k]: 1}); db.dense_flat.createIndex({[k]: 1}) }
db.sparse_kv.createIndex({"specs.k": 1, "specs.v": 1})
db.dense_kv.createIndex({"specs.k": 1, "specs.v": 1})
