// caught-by: converted, root-converted-wholesale
db.products.updateMany({}, [{$set: {attributes: {$objectToArray: "$$ROOT"}}}])
