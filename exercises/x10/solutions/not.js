// en: $not around an $elemMatch.
// de: $not um ein $elemMatch.
db.products.find({specs: {$not: {$elemMatch: {k: "warranty"}}}})
