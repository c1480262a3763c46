// en: A pipeline.
// de: Eine Pipeline.
db.boxes.aggregate([{$match: {tags: "new"}}])
