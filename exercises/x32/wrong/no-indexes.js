// caught-by: indexed
for (let id = 0; id < 40; id++) {
  const k = "a" + id % 8
  db.sparse_flat.insertOne({_id: id, [k]: id}); db.sparse_kv.insertOne({_id: id, specs: [{k, v: id}]})
  db.dense_flat.insertOne({_id: id, [k]: id}); db.dense_kv.insertOne({_id: id, specs: [{k, v: id}]})
}
