for (let id = 1; id <= 20; id++) {
  const document = {_id: id, name: "P" + id}
  if (chance(0.9)) document.specs = shuffle([{k: "warranty", v: pick([6, 24])}, {k: "warranty", v: 1}, {k: "color", v: "red"}, {k: "size", v: "L"}]).slice(0, int(0, 4))
  db.products.insertOne(document)
}
