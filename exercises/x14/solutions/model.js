// en: The filter binds the position to the color.
// de: Der Filter bindet die Position an die Farbe.
db.products.updateOne({_id: 2, specs: {$elemMatch: {k: "color"}}}, {$set: {"specs.$.v": "black"}})
