db.bottles.find({specs: {$elemMatch: {k: "volume", v: {$gte: 100}}}})
