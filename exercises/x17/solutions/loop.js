// en: Document by document.
// de: Dokument für Dokument.
db.bottles.find().toArray().forEach(({_id, specs}) => db.bottles.updateOne({_id}, {$set: {specs: specs.map(s =>
  s.k !== "volume" ? s : {k: "volume", v: NumberInt(Number(s.v) * (s.u === "ounces" ? 30 : 1)), u: "ml"})}}))
db.bottles.find({specs: {$elemMatch: {k: "volume", v: {$gte: 100}}}})
