db.films.find({release_US: {$lt: ISODate("1978-01-01")}})
