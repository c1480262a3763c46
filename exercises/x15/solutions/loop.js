// en: In JavaScript, document by document.
// de: In JavaScript, Dokument für Dokument.
db.products.find().toArray().forEach(({_id, specs = []}) =>
  db.products.updateOne({_id}, {$set: {specs: [...specs.filter(s => s.k !== "warranty"), {k: "warranty", v: 24}]}}))
