db.names.find()
