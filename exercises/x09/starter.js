db.lamps.find({specs: {$elemMatch: {k: "watt"}}})
