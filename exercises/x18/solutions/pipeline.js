// en: $regexFind takes the text apart inside the server.
// de: $regexFind zerlegt den Text im Server.
db.laptops.updateMany({}, [{$set: {specs: {$map: {input: "$specs", as: "s", in: {$cond: [
  {$and: [{$in: ["$$s.k", ["ram", "storage"]]}, {$eq: [{$type: "$$s.v"}, "string"]}]},
  {$let: {vars: {f: {$regexFind: {input: "$$s.v", regex: "^([0-9]+) *([A-Z]+)$"}}},
    in: {k: "$$s.k", v: {$toInt: {$arrayElemAt: ["$$f.captures", 0]}}, u: {$arrayElemAt: ["$$f.captures", 1]}}}},
  "$$s"]}}}}}])
