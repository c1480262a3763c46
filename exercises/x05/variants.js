for (let i = 0; i < 80; i++) db.lamps.insertOne({_id: i, specs: shuffle([{k: "watt", v: int(1, 60)}, {k: "lumen", v: int(1, 900)}])})
