// en: Only texts of the two keys are split, so a second run finds nothing.
// de: Nur Texte der zwei Schlüssel werden getrennt, also findet ein zweiter Lauf nichts.
db.laptops.find().toArray().forEach(({_id, specs}) => db.laptops.updateOne({_id}, {$set: {specs: specs.map(s => {
  const parts = ["ram", "storage"].includes(s.k) && /^(\d+) *([A-Z]+)$/.exec(s.v)
  return parts ? {k: s.k, v: NumberInt(parts[1]), u: parts[2]} : s
})}}))
