// en: The projection keeps the first element that matches.
// de: Die Projektion behält das erste passende Element.
db.products.find({"specs.k": "color"}, {specs: {$elemMatch: {k: "color"}}})
