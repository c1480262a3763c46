// en: $all of one $elemMatch says the same.
// de: $all mit einem $elemMatch sagt dasselbe.
db.bikes.find({specs: {$all: [{$elemMatch: {k: "frame", v: "carbon"}}]}})
