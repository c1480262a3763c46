// en: $nor and $nin would do, too.
// de: Auch $nor und $nin gehen.
db.products.find({$nor: [{"specs.k": "warranty"}]})
