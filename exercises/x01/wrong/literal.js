// caught-by: converted, literal-dollar-string
db.products.updateMany({}, {$set: {attributes: [{k: "color", v: "$color_vendorA"}]}})
