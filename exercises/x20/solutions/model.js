// en: After the second match each row holds the price alone.
// de: Nach dem zweiten $match enthält jede Zeile nur den Preis.
db.products.aggregate([{$match: {"specs.k": "price"}}, {$unwind: "$specs"}, {$match: {"specs.k": "price"}}, {$sort: {"specs.v": 1}}])
