// caught-by: groups
db.steps.aggregate([{$group: {_id: {person: "$person", month: {$substr: ["$date", 0, 4]}}, avg: {$avg: {$toInt: "$steps"}}}}])
