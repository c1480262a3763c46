// caught-by: order
db.products.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "price"}}, {$sort: {"specs.v": -1}}])
