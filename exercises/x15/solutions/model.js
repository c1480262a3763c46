// en: Everything but the key, then the pair: the same state however often it runs.
// de: Alles außer dem Schlüssel, dann das Paar: derselbe Zustand, sooft es läuft.
db.products.updateMany({}, [{$set: {specs: {$concatArrays: [
  {$filter: {input: {$ifNull: ["$specs", []]}, as: "s", cond: {$ne: ["$$s.k", "warranty"]}}},
  [{k: "warranty", v: 24}]]}}}])
