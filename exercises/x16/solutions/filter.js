// en: A pipeline with $filter.
// de: Eine Pipeline mit $filter.
db.products.updateMany({}, [{$set: {specs: {$filter: {input: "$specs", as: "s", cond: {$ne: ["$$s.k", "stock"]}}}}}])
