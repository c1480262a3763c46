// en: A descending price is read backwards.
// de: Ein absteigender Preis wird rückwärts gelesen.
db.products.createIndex({category: 1, "specs.k": 1, "specs.v": 1, price: -1})
