// en: $convert, and the month by $substrBytes.
// de: $convert, und der Monat mit $substrBytes.
db.steps.aggregate([{$group: {_id: {month: {$substrBytes: ["$date", 0, 6]}, person: "$person"}, avg: {$avg: {$convert: {input: "$steps", to: "double"}}}}}])
