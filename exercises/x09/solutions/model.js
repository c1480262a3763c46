// en: One element, key and both ends.
// de: Ein Element, Schlüssel und beide Enden.
db.lamps.find({specs: {$elemMatch: {k: "watt", v: {$gte: 10, $lte: 20}}}})
