db.goods.aggregate([{$unwind: "$specs"}, {$sortByCount: "$specs.k"}])
