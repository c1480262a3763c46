// en: $map goes over all elements and changes the color only.
// de: $map geht über alle Elemente und ändert nur die Farbe.
db.products.updateOne({_id: 2}, [{$set: {specs: {$map: {input: "$specs", as: "s",
  in: {$cond: [{$eq: ["$$s.k", "color"]}, {$mergeObjects: ["$$s", {v: "black"}]}, "$$s"]}}}}}])
