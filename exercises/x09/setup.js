db.lamps.createIndex({"specs.k": 1, "specs.v": 1})
db.lamps.insertMany([
  {_id: 1, specs: [{k: "watt", v: 5}, {k: "lumen", v: 15}]},
  {_id: 2, specs: [{k: "watt", v: 10}, {k: "lumen", v: 900}]},
  {_id: 3, specs: [{k: "watt", v: 20}, {k: "lumen", v: 1500}]},
  {_id: 4, specs: [{k: "watt", v: 60}, {k: "dimmed", v: 4}]}
])
