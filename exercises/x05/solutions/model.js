// en: The compound index makes one stretch of all watts below 10.
// de: Der zusammengesetzte Index macht aus allen Watt unter 10 ein Stück.
db.lamps.createIndex({"specs.k": 1, "specs.v": 1})
