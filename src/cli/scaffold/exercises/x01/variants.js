// SEED, VARIANT, random(), int(low, high), pick(list), chance(share) and shuffle(list) are there to be used.
for (let id = 1; id <= 20; id++)
  db.boxes.insertOne({_id: id, tags: shuffle(["red", "new", "old"]).slice(0, int(0, 3))})
