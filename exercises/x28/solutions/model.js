// en: Key and value in front serve all attribute searches, the price behind them serves the sort; one more
// en: for the price alone.
// de: Schlüssel und Wert vorn bedienen alle Attributsuchen, der Preis dahinter das Sortieren; einer mehr
// de: für den Preis allein.
db.goods.createIndex({"specs.k": 1, "specs.v": 1, price: 1})
db.goods.createIndex({price: 1})
