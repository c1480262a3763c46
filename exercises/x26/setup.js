db.steps.insertMany([
  {_id: 1, person: "p1", date: "20140201", steps: 10800}, {_id: 2, person: "p1", date: "20140202", steps: 5906},
  {_id: 3, person: "p1", date: "20140301", steps: "12000"}, {_id: 4, person: "p2", date: "20140201", steps: 3000}, {_id: 5, person: "p2", date: "20140228", steps: "5000"}])
