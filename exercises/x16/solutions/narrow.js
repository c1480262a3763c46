// en: Only where it occurs.
// de: Nur wo es vorkommt.
db.products.updateMany({"specs.k": "stock"}, {$pull: {specs: {k: {$eq: "stock"}}}})
