// en: The positional projection keeps the element the filter met.
// de: Die Positionsprojektion behält das Element, das der Filter traf.
db.products.find({specs: {$elemMatch: {k: "color"}}}, {"specs.$": 1})
