// en: One pipeline for the known fields: $objectToArray drops missing ones, $regexFind splits the unit.
// de: Eine Pipeline für die bekannten Felder: $objectToArray lässt fehlende weg, $regexFind trennt die
// de: Einheit.
db.products.updateMany({attributes: {$exists: false}}, [
  {$set: {attributes: {$map: {
    input: {$filter: {
      input: {$map: {input: {$objectToArray: "$$ROOT"}, as: "f", in: {
        k: {$cond: [{$eq: ["$$f.k", "batteryType"]}, "batteryType",
          {$arrayElemAt: [{$split: ["$$f.k", "_"]}, 0]}]},
        v: "$$f.v",
        is: {$or: [{$eq: ["$$f.k", "batteryType"]},
          {$regexMatch: {input: "$$f.k", regex: "._(vendorA|apparel|electronics)$"}}]}}}},
      as: "f", cond: "$$f.is"}},
    as: "f", in: {$let: {
      vars: {found: {$cond: [{$eq: [{$type: "$$f.v"}, "string"]},
        {$regexFind: {input: "$$f.v", regex: "^([0-9]+) ([^ ]+)$"}}, null]}},
      in: {$cond: [{$eq: [{$type: "$$found"}, "object"]},
        {k: "$$f.k", v: {$toInt: {$arrayElemAt: ["$$found.captures", 0]}}, u: {$arrayElemAt: ["$$found.captures", 1]}},
        {k: "$$f.k", v: "$$f.v"}]}}}}}}},
  {$unset: ["color_vendorA", "size_apparel", "voltage_electronics", "power_electronics", "weight_vendorA", "batteryType"]}])
