// caught-by: repaired
db.bottles.find({specs: {$elemMatch: {k: "volume", $or: [{v: {$gte: 100}, u: "ml"}, {v: {$gte: 4}, u: "ounces"}]}}})
