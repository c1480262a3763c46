// en: Document by document.
// de: Dokument für Dokument.
const ids = list => list.map(g => g._id).sort((a, b) => a - b)
const inSpecs = g => (g.specs || []).some(s => s.k === "color" && s.v === "red")
const during = ids(db.goods.find().toArray().filter(g => g.color === "red" || inSpecs(g)))
db.goods.find().toArray().forEach(g => {
  const more = ["color", "size"].filter(k => k in g).map(k => ({k, v: g[k]}))
  if (more.length) db.goods.updateOne({_id: g._id}, {$push: {specs: {$each: more}}, $unset: {color: "", size: ""}})
})
;[during, ids(db.goods.find().toArray().filter(inSpecs))]
