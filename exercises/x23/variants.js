for (let id = 1; id <= 30; id++) {
  const film = {_id: id, title: "Film " + id, director: pick(["A", "B"])}
  for (const place of ["US", "France", "Cannes", "New Zealand"]) if (chance(0.4)) film["release_" + place] = new Date(Date.UTC(int(1975, 1980), int(0, 11), int(1, 28)))
  db.films.insertOne(film)
}
