// en: insertMany and the unit in the question.
// de: insertMany und die Einheit in der Frage.
db.products.insertMany([{_id: "cm", name: "Coffee Maker", specs: [{k: "voltage", v: 230, u: "V"}]}])
db.products.find({specs: {$elemMatch: {k: "voltage", v: 230, u: "V"}}})
