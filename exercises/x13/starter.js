db.laptops.getIndexes()
