// en: A list of one.
// de: Eine Liste mit einem Eintrag.
db.boxes.find({tags: {$in: ["new"]}})
