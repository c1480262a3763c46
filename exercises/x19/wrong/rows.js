// caught-by: groups
db.products.aggregate([{$unwind: "$specs"}, {$match: {"specs.k": "color"}}, {$group: {_id: "$specs.v", n: {$sum: 1}}}])
