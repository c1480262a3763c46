// en: An array filter names the element.
// de: Ein Arrayfilter benennt das Element.
db.products.updateOne({_id: 2}, {$set: {"specs.$[c].v": "black"}}, {arrayFilters: [{"c.k": "color"}]})
