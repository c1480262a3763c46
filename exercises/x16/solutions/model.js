// en: $pull applies its condition to each element.
// de: $pull wendet seine Bedingung auf jedes Element an.
db.products.updateMany({}, {$pull: {specs: {k: "stock"}}})
