db.products.createIndex({"attributes.k": 1, "attributes.v": 1})
db.products.insertMany([
  {_id: 1, name: "Industrial Drill", sku: "DR-900", attributes: [{k: "color", v: "Yellow"}, {k: "voltage", v: 20, u: "V"}, {k: "batteryType", v: "Li-Ion"}]},
  {_id: 2, name: "Red Drill in Yellow Case", sku: "DR-120", attributes: [{k: "color", v: "Red"}, {k: "caseColor", v: "Yellow"}, {k: "voltage", v: 20, u: "V"}]},
  {_id: 3, name: "Site Radio", sku: "RA-018", attributes: [{k: "color", v: "Yellow"}, {k: "voltage", v: 18, u: "V"}, {k: "range", v: 20, u: "m"}]},
  {_id: 4, name: "Cordless Saw", sku: "SA-210", attributes: [{k: "voltage", v: 20, u: "V"}, {k: "color", v: "Yellow"}]},
  {_id: 5, name: "Rain Jacket", sku: "JA-001", attributes: [{k: "color", v: "Yellow"}, {k: "size", v: "L"}]},
  {_id: 6, name: "Charger", sku: "CH-020", attributes: [{k: "voltage", v: 20, u: "V"}, {k: "color", v: "Black"}]},
  {_id: 7, name: "Torch", sku: "TO-003", attributes: []}
])
