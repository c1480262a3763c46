// en: Pull, then push: two statements, the same state.
// de: Erst $pull, dann $push: zwei Anweisungen, derselbe Zustand.
db.products.updateMany({specs: {$exists: true}}, {$pull: {specs: {k: "warranty"}}})
db.products.updateMany({}, {$push: {specs: {k: "warranty", v: 24}}})
