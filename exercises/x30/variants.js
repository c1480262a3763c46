for (let id = 1; id <= 30; id++) {
  const good = {_id: id, name: "G" + id}
  const old = chance(0.6)
  if (!old || chance(0.3)) good.specs = shuffle([{k: "trim", v: pick(["red", "blue"])}, ...(old ? [] : [{k: "color", v: pick(["red", "blue"])}])])
  if (old && chance(0.8)) good.color = pick(["red", "blue"])
  if (old && chance(0.5)) good.size = pick(["S", "L"])
  db.goods.insertOne(good)
}
