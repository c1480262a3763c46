db.boxes.insertMany([{_id: 1, tags: ["red", "new"]}, {_id: 2, tags: ["red"]}, {_id: 3, tags: []}])
