// en: The names are one document, too.
// de: Auch die Namen sind ein Dokument.
const of = id => db.names.findOne({_id: id}).steps_made
const p1 = of("p1"), february = Object.keys(p1).filter(d => d.startsWith("201402")).sort()
;[Object.keys(p1).length, of("p2")["20140201"], february,
  db.days.find({steps: {$gt: 10000}}, {_id: 0, steps: 1}).toArray().length,
  february.reduce((sum, d) => sum + p1[d], 0)]
