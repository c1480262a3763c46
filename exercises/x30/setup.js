db.goods.insertMany([
  {_id: 1, name: "Shirt", specs: [{k: "color", v: "red"}, {k: "size", v: "M"}]}, {_id: 2, name: "Cap", color: "red"},
  {_id: 3, name: "Sock", color: "blue", size: "S"}, {_id: 4, name: "Bag", specs: [{k: "trim", v: "red"}], color: "red", size: "L"}, {_id: 5, name: "Book"}])
