// en: Outside $elemMatch $ne speaks of all elements, so empty and missing arrays are found as well.
// de: Außerhalb von $elemMatch spricht $ne von allen Elementen; leere und fehlende Arrays sind dabei.
db.products.find({"specs.k": {$ne: "warranty"}})
