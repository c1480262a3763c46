// en: Person and month make the group; texts are converted.
// de: Person und Monat bilden die Gruppe; Texte werden umgewandelt.
db.steps.aggregate([{$group: {_id: {person: "$person", month: {$substr: ["$date", 0, 6]}}, avg: {$avg: {$toInt: "$steps"}}}}])
