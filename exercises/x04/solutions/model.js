// en: One element has the key and the value; the index is bounded on both.
// de: Ein Element hat Schlüssel und Wert; der Index ist in beiden begrenzt.
db.products.find({specs: {$elemMatch: {k: "ram", v: 16}}})
