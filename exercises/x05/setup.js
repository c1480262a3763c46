for (let i = 0; i < 40; i++) db.lamps.insertOne({_id: i, specs: [{k: "watt", v: 2 + i}, {k: "lumen", v: 10 + 90 * (i % 7)}]})
