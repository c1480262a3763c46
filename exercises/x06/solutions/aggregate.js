// en: The same filter in a pipeline.
// de: Derselbe Filter in einer Pipeline.
db.bikes.aggregate([{$match: {specs: {$elemMatch: {v: "carbon", k: "frame"}}}}])
