db.products.updateMany({}, {$push: {specs: {k: "warranty", v: 24}}})
