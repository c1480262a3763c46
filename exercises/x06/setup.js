db.bikes.createIndex({"specs.k": 1, "specs.v": 1})
db.bikes.insertMany([
  {_id: 1, name: "Tourer", specs: [{k: "frame", v: "steel"}, {k: "fork", v: "carbon"}]},
  {_id: 2, name: "Racer", specs: [{k: "frame", v: "carbon"}, {k: "fork", v: "steel"}]},
  {_id: 3, name: "Gravel", specs: [{k: "frame", v: "carbon"}]},
  {_id: 4, name: "Kids", specs: [{k: "frame", v: "aluminium"}]}
])
