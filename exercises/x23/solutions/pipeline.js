// en: $objectToArray lists the names, $filter chooses, $replaceWith writes.
// de: $objectToArray zählt die Namen auf, $filter wählt, $replaceWith schreibt.
db.films.updateMany({}, [{$replaceWith: {$let: {vars: {all: {$objectToArray: "$$ROOT"}}, in: {$mergeObjects: [
  {$arrayToObject: {$filter: {input: "$$all", as: "f", cond: {$ne: [{$indexOfBytes: ["$$f.k", "release_"]}, 0]}}}},
  {releases: {$map: {input: {$filter: {input: "$$all", as: "f", cond: {$eq: [{$indexOfBytes: ["$$f.k", "release_"]}, 0]}}}, as: "f",
    in: {location: {$substrBytes: ["$$f.k", 8, -1]}, date: "$$f.v"}}}}]}}}}])
db.films.createIndex({"releases.date": 1})
db.films.find({"releases.date": {$lt: ISODate("1978-01-01")}})
