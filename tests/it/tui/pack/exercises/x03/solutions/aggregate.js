// en: A pipeline with one $match after the other is the same question.
// de: Eine Pipeline mit einem $match nach dem anderen ist dieselbe Frage.
const has = (k, v) => ({$match: {attributes: {$elemMatch: {k, v}}}})
db.products.aggregate([has("color", "Yellow"), has("voltage", 20)])
