// caught-by: ids, cross-element-match
db.bikes.find({$and: [{"specs.k": "frame"}, {"specs.v": "carbon"}]})
