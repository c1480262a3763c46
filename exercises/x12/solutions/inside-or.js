// en: An $or on one field inside the element becomes an $in.
// de: Ein $or auf ein Feld im Element wird ein $in.
db.products.find({specs: {$elemMatch: {k: "color", $or: [{v: "red"}, {v: "blue"}]}}})
