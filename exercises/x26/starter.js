db.steps.aggregate([{$group: {_id: {$substr: ["$date", 0, 6]}, avg: {$avg: "$steps"}}}])
