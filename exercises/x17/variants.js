for (let id = 1; id <= 30; id++) {
  const volume = pick([{v: int(1, 20), u: "ounces"}, {v: String(int(1, 20)), u: "ounces"}, {v: int(20, 900), u: "ml"}, {v: String(int(20, 900)), u: "ml"}])
  db.bottles.insertOne({_id: id, specs: shuffle([{k: "volume", ...volume}, {k: "height", v: int(80, 300), u: "mm"}, {k: "code", v: String(int(1, 999))}]).slice(0, int(1, 3))})
}
