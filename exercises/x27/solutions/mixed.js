// en: A single day from days costs one key and one document.
// de: Ein einzelner Tag aus days kostet einen Schlüssel und ein Dokument.
const p1 = db.arrays.findOne({_id: "p1"}).steps_made.filter(d => /^2014/.test(d.date))
const february = p1.filter(d => d.date.slice(0, 6) === "201402")
;[p1.length, db.days.findOne({person: "p2", date: "20140201"}).steps, february.map(d => d.date),
  db.days.countDocuments({steps: {$gt: 10000}}), february.map(d => d.steps).reduce((a, b) => a + b)]
