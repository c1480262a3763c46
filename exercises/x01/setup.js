db.products.insertMany([
  {_id: 1, name: "Industrial Drill", sku: "DR-900", color_vendorA: "Yellow", voltage_electronics: "20 V", batteryType: "Li-Ion"},
  {_id: 2, name: "Work Shirt", sku: "SH-100", color_vendorA: "Blue", size_apparel: "XL"},
  {_id: 3, name: "Desk Lamp", sku: "LA-010", voltage_electronics: "230 V", power_electronics: "9 W", price: 19},
  {_id: 4, name: "Gift Card", sku: "GC-001", price: 25}
])
