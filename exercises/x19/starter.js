db.products.aggregate([{$match: {"specs.k": "color"}}, {$group: {_id: "$specs.v", n: {$sum: 1}}}])
