// caught-by: converted, null-attributes-created
db.products.updateMany({}, [{$set: {attributes: [{k: "color", v: "$color_vendorA"}, {k: "size", v: "$size_apparel"}, {k: "voltage", v: "$voltage_electronics"}]}}, {$unset: ["color_vendorA", "size_apparel", "voltage_electronics"]}])
