db.bikes.find({"specs.k": "frame", "specs.v": "carbon"})
