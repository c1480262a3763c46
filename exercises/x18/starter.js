db.laptops.find({"specs.k": "ram"})
