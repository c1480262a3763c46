db.names.insertMany([
  {_id: "p1", steps_made: {"20140201": 10800, "20140202": 5906, "20140301": 12004}},
  {_id: "p2", steps_made: {"20140201": 3000}}, {_id: "p3", steps_made: {}}])
