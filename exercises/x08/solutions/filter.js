// en: $filter in a pipeline would keep two colors if there were two.
// de: $filter in einer Pipeline behielte zwei Farben, gäbe es zwei.
db.products.aggregate([{$match: {"specs.k": "color"}},
  {$project: {specs: {$filter: {input: "$specs", as: "s", cond: {$eq: ["$$s.k", "color"]}}}}}])
