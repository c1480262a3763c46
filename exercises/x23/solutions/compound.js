// en: Date first, location behind, serves it as well.
// de: Datum zuerst, Ort dahinter, dient auch.
db.films.find().toArray().forEach(film => {
  const names = Object.keys(film).filter(name => name.startsWith("release_"))
  const update = {$set: {releases: names.map(name => ({location: name.replace("release_", ""), date: film[name]}))}}
  if (names.length) update.$unset = Object.fromEntries(names.map(name => [name, ""]))
  db.films.updateOne({_id: film._id}, update)
})
db.films.createIndex({"releases.date": 1, "releases.location": 1})
db.films.find({releases: {$elemMatch: {date: {$lt: ISODate("1978-01-01")}}}})
