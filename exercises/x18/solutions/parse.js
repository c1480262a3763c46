// en: parseInt reads the leading number, the rest is the unit.
// de: parseInt liest die führende Zahl, der Rest ist die Einheit.
db.laptops.find({"specs.k": {$in: ["ram", "storage"]}}).forEach(laptop => {
  for (const s of laptop.specs) {
    if (s.k !== "ram" && s.k !== "storage" || typeof s.v !== "string") continue
    s.u = s.v.replace(/[0-9 ]/g, "")
    s.v = NumberInt(parseInt(s.v))
  }
  db.laptops.replaceOne({_id: laptop._id}, laptop)
})
