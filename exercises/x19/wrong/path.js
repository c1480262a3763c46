// caught-by: groups, group-by-array-path
db.products.aggregate([{$match: {"specs.k": "color"}}, {$group: {_id: "$specs.v", n: {$sum: 2}}}])
