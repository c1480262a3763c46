// caught-by: groups, no-second-match-after-unwind
db.products.aggregate([{$match: {"specs.k": "color"}}, {$unwind: "$specs"}, {$group: {_id: "$specs.v", n: {$sum: 1}}}])
