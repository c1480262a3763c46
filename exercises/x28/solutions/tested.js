// en: With the category as the last part it is tested on the key, before fetching.
// de: Mit der Kategorie als letztem Teil wird sie am Schlüssel geprüft, vor dem Lesen.
db.goods.createIndexes([{"specs.k": 1, "specs.v": 1, price: 1, category: 1}, {price: 1}])
