// caught-by: groups, avg-ignores-strings
db.steps.aggregate([{$group: {_id: {person: "$person", month: {$substr: ["$date", 0, 6]}}, avg: {$avg: "$steps"}}}])
