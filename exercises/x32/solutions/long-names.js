// en: Long names make pairs even dearer, short rare ones cheaper.
// de: Lange Namen machen Paare noch teurer, kurze seltene billiger.
const sparse = [..."abcdefghijklmnopqrst"], dense = ["colour of the case", "weight of the box", "country of origin", "year of making", "number of parts"]
for (let i = 1; i <= 60; i++) {
  const k = sparse[i % 20]
  db.sparse_flat.insertOne({_id: i, [k]: "v" + i})
  db.sparse_kv.insertOne({_id: i, specs: [{k, v: "v" + i}]})
  db.dense_flat.insertOne({_id: i, ...Object.fromEntries(dense.map(d => [d, i]))})
  db.dense_kv.insertOne({_id: i, specs: dense.map(k => ({k, v: i}))})
}
sparse.forEach(k => db.sparse_flat.createIndex({[k]: -1}))
dense.forEach(k => db.dense_flat.createIndex({[k]: 1}))
db.sparse_kv.createIndex({"specs.k": 1, "specs.v": 1})
db.dense_kv.createIndex({"specs.k": 1, "specs.v": 1})
