// en: The same in a pipeline.
// de: Dasselbe in einer Pipeline.
db.products.aggregate([{$match: {specs: {$elemMatch: {v: {$in: ["blue", "red"]}, k: "color"}}}}])
