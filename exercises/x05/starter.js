db.lamps.find({specs: {$elemMatch: {k: "watt", v: {$lt: 10}}}})
