// What setup.js and variants.js may use besides the shell: chance that the seed decides.
const { random, int, pick, chance, shuffle } = (() => {
  let state = (SEED * 2654435761 + VARIANT * 40503 + 12345) >>> 0
  const random = () => {
    state = (state + 0x6D2B79F5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296
  }
  const int = (low, high) => low + Math.floor(random() * (high - low + 1))
  const pick = list => list[int(0, list.length - 1)]
  const chance = share => random() < share
  const shuffle = list => {
    const out = [...list]
    for (let at = out.length - 1; at > 0; at--) {
      const other = int(0, at)
      ;[out[at], out[other]] = [out[other], out[at]]
    }
    return out
  }
  return { random, int, pick, chance, shuffle }
})()
