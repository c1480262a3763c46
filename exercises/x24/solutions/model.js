// en: The same range in three places: on a computed name, on an element, on a field with an index.
// de: Derselbe Bereich an drei Stellen: auf einem berechneten Namen, einem Element, einem Feld mit Index.
const february = {$gte: "20140201", $lt: "20140301"}
const names = db.names.aggregate([{$set: {d: {$objectToArray: "$steps_made"}}}, {$unwind: "$d"}, {$match: {"d.k": february, "d.v": {$gt: 10000}}}]).toArray().map(r => r._id + " " + r.d.k).sort()
const arrays = db.arrays.aggregate([{$match: {steps_made: {$elemMatch: {date: february, steps: {$gt: 10000}}}}}, {$unwind: "$steps_made"}, {$match: {"steps_made.date": february, "steps_made.steps": {$gt: 10000}}}]).toArray().map(r => r._id + " " + r.steps_made.date).sort()
const days = db.days.find({date: february, steps: {$gt: 10000}}).toArray().map(r => r.person + " " + r.date).sort()
;({names, arrays, days})
