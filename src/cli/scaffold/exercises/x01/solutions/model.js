// en: Some element is equal.
// de: Irgendein Element ist gleich.
db.boxes.find({tags: "new"})
