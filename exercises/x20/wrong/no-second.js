// caught-by: order
db.products.aggregate([{$match: {"specs.k": "price"}}, {$unwind: "$specs"}, {$sort: {"specs.v": 1}}])
