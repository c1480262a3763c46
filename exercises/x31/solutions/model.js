// en: The first lets two elements answer, the second only one.
// de: Die erste lässt zwei Elemente antworten, die zweite nur eines.
db.shirts.find({"specs.k": "color", "specs.v": "red"}).toArray()
db.shirts.find({specs: {$elemMatch: {k: "color", v: "red"}}})
