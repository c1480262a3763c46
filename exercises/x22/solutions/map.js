// en: $map in a pipeline.
// de: $map in einer Pipeline.
db.products.updateMany({}, [{$set: {specs: {$map: {input: "$specs", as: "s", in: {$cond: [
  {$in: ["$$s.k", ["Color", "colour"]]}, {$mergeObjects: ["$$s", {k: "color"}]}, "$$s"]}}}}}])
