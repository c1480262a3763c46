// A union reads all the days on the side.
const all = db.arrays.aggregate([{$match: {_id: "p1"}}, {$unionWith: "days"}]).toArray().filter(day => day.person);
const p1 = all.filter(day => day.person === "p1");
const february = p1.filter(day => day.date.startsWith("201402"));
[p1.length, all.find(day => day.person === "p2" && day.date === "20140201").steps, february.map(day => day.date).sort(),
  all.filter(day => day.steps > 10000).length, february.reduce((sum, day) => sum + day.steps, 0)];
//----
// So does a join.
const all = db.arrays.aggregate([{$match: {_id: "p1"}}, {$lookup: {from: "days", pipeline: [], as: "all"}}]).toArray()[0].all;
const p1 = all.filter(day => day.person === "p1");
const february = p1.filter(day => day.date.startsWith("201402"));
[p1.length, all.find(day => day.person === "p2" && day.date === "20140201").steps, february.map(day => day.date).sort(),
  all.filter(day => day.steps > 10000).length, february.reduce((sum, day) => sum + day.steps, 0)];
//----
// And a walk.
const all = db.arrays.aggregate([{$match: {_id: "p1"}}, {$graphLookup: {from: "days", startWith: {$literal: ["p1", "p2", "p3"]},
  connectFromField: "none", connectToField: "person", as: "all"}}]).toArray()[0].all;
const p1 = all.filter(day => day.person === "p1");
const february = p1.filter(day => day.date.startsWith("201402"));
[p1.length, all.find(day => day.person === "p2" && day.date === "20140201").steps, february.map(day => day.date).sort(),
  all.filter(day => day.steps > 10000).length, february.reduce((sum, day) => sum + day.steps, 0)];
