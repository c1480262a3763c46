db.sparse_flat.stats().totalIndexSize
