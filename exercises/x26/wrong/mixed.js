// caught-by: groups, group-mixes-owners
db.steps.aggregate([{$group: {_id: {month: {$substr: ["$date", 0, 6]}}, avg: {$avg: {$toInt: "$steps"}}}}])
