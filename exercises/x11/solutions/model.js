// en: The element is a color, and it is another one.
// de: Das Element ist eine Farbe, und zwar eine andere.
db.products.find({specs: {$elemMatch: {k: "color", v: {$ne: "red"}}}})
