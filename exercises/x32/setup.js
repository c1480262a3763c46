db.sparse_flat.drop()
