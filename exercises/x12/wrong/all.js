// caught-by: ids
db.products.find({specs: {$all: [{$elemMatch: {k: "color", v: "red"}}, {$elemMatch: {k: "color", v: "blue"}}]}})
