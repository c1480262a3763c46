// en: A count is a statement, too.
// de: Auch ein Zählen ist eine Anweisung.
db.shirts.countDocuments({"specs.k": "color", "specs.v": "red"})
db.shirts.aggregate([{$match: {specs: {$elemMatch: {k: "color", v: "red"}}}}])
