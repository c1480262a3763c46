db.shirts.createIndex({"specs.k": 1, "specs.v": 1})
db.shirts.insertMany([
  {_id: 1, specs: [{k: "color", v: "red"}, {k: "size", v: "S"}]}, {_id: 2, specs: [{k: "color", v: "blue"}, {k: "trim", v: "red"}]},
  {_id: 3, specs: [{k: "size", v: "XL"}, {k: "color", v: "red"}]}, {_id: 4, specs: [{k: "trim", v: "red"}]}])
