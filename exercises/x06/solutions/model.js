// en: One element, both conditions.
// de: Ein Element, beide Bedingungen.
db.bikes.find({specs: {$elemMatch: {k: "frame", v: "carbon"}}})
