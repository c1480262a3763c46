// en: The ends may stand in an $and inside the element.
// de: Die Enden dürfen im Element in einem $and stehen.
db.lamps.find({specs: {$elemMatch: {$and: [{k: "watt"}, {v: {$gte: 10}}, {v: {$lte: 20}}]}}})
