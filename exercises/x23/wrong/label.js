// caught-by: converted
db.films.find().toArray().forEach(film => {
  const kept = {}, releases = []
  for (const [name, value] of Object.entries(film))
    if (name.startsWith("release_")) releases.push({location: name.slice(8).replace("US", "USA"), date: value})
    else kept[name] = value
  db.films.replaceOne({_id: film._id}, {...kept, releases})
})
db.films.createIndex({"releases.date": 1})
db.films.find({"releases.date": {$lt: ISODate("1978-01-01")}})
