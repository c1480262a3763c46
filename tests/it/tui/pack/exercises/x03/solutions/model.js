// en: Each $elemMatch binds a key to its value in one element; $all wants both. The index is entered with
// en: one of the two, bounded on key and value; the other is tested on the documents found.
// de: Jedes $elemMatch bindet einen Schlüssel an seinen Wert in einem Element; $all will beide. Der Index wird
// de: mit einem der beiden betreten, begrenzt in Schlüssel und Wert; das andere wird an den Dokumenten geprüft.
db.products.find({attributes: {$all: [
  {$elemMatch: {k: "color", v: "Yellow"}},
  {$elemMatch: {k: "voltage", v: 20}}
]}})
