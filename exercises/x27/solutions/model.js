// en: One person's days are one document in arrays; only the question over everybody goes to days, where
// en: an index on steps counts without reading documents.
// de: Die Tage einer Person sind in arrays ein Dokument; nur die Frage über alle geht an days, wo ein
// de: Index auf steps zählt, ohne Dokumente zu lesen.
const days = id => db.arrays.findOne({_id: id}).steps_made
const february = days("p1").filter(d => d.date >= "20140201" && d.date < "20140301")
;[days("p1").length,
  days("p2").find(d => d.date === "20140201").steps,
  february.map(d => d.date).sort(),
  db.days.countDocuments({steps: {$gt: 10000}}),
  february.reduce((sum, d) => sum + d.steps, 0)]
