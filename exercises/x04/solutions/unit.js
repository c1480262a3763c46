// en: Naming the unit as well is careful, and right here.
// de: Auch die Einheit zu nennen ist sorgfältig und hier richtig.
db.products.find({specs: {$elemMatch: {k: "ram", v: 16, u: "GB"}}})
