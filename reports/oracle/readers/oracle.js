// Reads oracles, the files of `puzzlemc export LEVEL --to oracle -o FILE`; their format is docs/oracle.md.
//
//   const oracle = readOracle(bytes)        // a Uint8Array; throws an Error for a damaged file
//   const { status, distance, moves } = oracle.ask(key)
//
// `status` is "lost", "solved", "open" (it has a solution) or "unknown". Open positions have a `distance` to a
// solution and the names of all best `moves`. If `oracle.exact` is false, "lost" is proved, and all others are
// "unknown". `oracle.start` is the key of the start of the level: compare it with the key that the game makes.

const MAGIC = [0x89, 0x4F, 0x52, 0x41, 13, 10, 26, 10], HEADER = 40, LOST = 0xFFFFFFFF, LONGEST = 48
const LANES = [[0xCC9E2D51, 15, 0x1B873593], [0x239B961B, 16, 0xAB0E9789]]
const rotated = (x, by) => x << by | x >>> 32 - by
const encoder = new TextEncoder(), decoder = new TextDecoder("utf-8", { ignoreBOM: true })
const need = (holds, words) => { if (!holds) throw new Error(`damaged oracle: ${words}`) }

export function readOracle(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const size = bytes.length
  need(size >= HEADER && MAGIC.every((octet, at) => bytes[at] === octet), "no oracle")
  need(view.getUint32(12, true) === size, "its size")
  need(view.getUint32(8, true) === crc(bytes.subarray(12)), "its checksum")
  need(bytes[16] === 1 && (bytes[17] === 1 || bytes[17] === 2), "its version or kind")
  const exact = bytes[17] === 1, print = bytes[18], seed = bytes[19]
  const counts = [20, 24, 28, 32, 36].map(at => view.getUint32(at, true))
  let at = HEADER
  const skip = length => { at += length; need(at <= size, "its length"); return at - length }
  const byte = () => bytes[skip(1)], short = () => view.getUint16(skip(2), true), long = () => view.getUint32(skip(4), true)
  const text = () => {
    const length = long(), from = skip(length + 1)
    need(bytes[from + length] === 0, "a text")
    return decoder.decode(bytes.subarray(from, from + length))
  }
  const list = (count, each) => {
    need(count <= size, "a count")
    return Array.from({ length: count }, each)
  }
  const [puzzle, metric, start] = [text(), text(), text()]
  const about = { exact, puzzle, metric, start, positions: exact ? counts[0] : null }
  return { ...about, ask: exact ? exactly() : lostOnly() }

  function exactly() {
    const [, entries, names, distances, sets] = counts
    need(print <= 32 && entries >= 64 && entries <= 2 ** 27 && distances > 0, "its counts")
    const name = list(names, text)
    const distance = list(distances, () => [long(), byte()])
    const best = list(sets, () => {
      const length = byte()
      return [list(long(), long).map(number => { need(number < names, "a move"); return name[number] }), length]
    })
    const codes = [code(distance), sets ? code(best) : null]
    need(sets > 0 || distance.every(([steps]) => steps === LOST), "its sets")
    const bits = bytes.subarray(skip(Math.ceil(entries / 8)))
    need(size - at === 8, "its end")
    return key => {
      const [low, high] = hashed(encoder.encode(key), seed), own = finished(finished(low) ^ high)
      let number = 0
      while (number < print) if (bit(bits, entries, low, high, number) !== (own >>> number++ & 1)) return { status: "unknown" }
      const next = () => bit(bits, entries, low, high, number++)
      const [left] = distance[decoded(codes[0], next)]
      if (left === LOST) return { status: "lost" }
      const [moves] = best[decoded(codes[1], next)]
      return { status: moves.length ? "open" : "solved", distance: left, moves }
    }
  }

  function lostOnly() {
    const [board, patterns, regions, objects] = counts, wide = Math.ceil(board / 8)
    need(board <= 65536, "its board")
    const region = list(regions, () => bytes.subarray(skip(wide), at))
    const at0 = Array.from({ length: board }, () => [])  // by the first place of their objects
    for (let each = 0; each < patterns; each++) {
      const where = long(), places = list(byte(), short)
      need(where < regions && places.length && places.every(place => place < board), "a pattern")
      at0[places[0]].push([region[where], places])
    }
    need(at === size, "its end")
    return key => {
      const numbers = /^\d{1,5}( \d{1,5})*$/.test(key) ? key.split(" ").map(Number) : [], [player, ...held] = numbers
      const sound = numbers.length === objects + 1 && numbers.every(each => each < board) && held.every((each, i) => !i || held[i - 1] < each)
      if (!sound) return { status: "unknown" }
      const taken = new Set(held)
      const dead = held.some(first => at0[first].some(([where, places]) => (where[player >> 3] >> (player & 7) & 1) && places.every(each => taken.has(each))))
      return { status: dead ? "lost" : "unknown" }
    }
  }
}

// A prefix code in canonical form: how many codewords each length has. Shorter ones come first.
function code(table) {
  const count = new Uint32Array(LONGEST + 1)
  let before = 0, sum = 0
  for (const [, length] of table) {
    need(length <= LONGEST && length >= before, "a code")
    count[before = length]++
    sum += 2 ** -length
  }
  need(sum === 1, "a code")  // so each sequence of bits begins with a codeword
  return count
}

function decoded(count, next) {
  for (let word = 0, first = 0, place = 0, length = 0; ; length++) {
    if (word - first < count[length]) return place + word - first
    place += count[length]
    first = 2 * (first + count[length])
    word = 2 * word + next()
  }
}

// The parity of those of 64 neighbouring entries that the hash and the number choose.
function bit(bits, entries, low, high, number) {
  const mixed = finished(low ^ Math.imul(number + 1, 0x9E3779B1)), one = finished(high ^ mixed), other = finished(one + 0x7F4A7C15)
  const start = Math.floor((mixed >>> 6) * (entries - 63) / 2 ** 26)
  let x = (one | 1) & window(bits, start) ^ other & window(bits, start + 32)
  for (const by of [16, 8, 4, 2, 1]) x ^= x >>> by
  return x & 1
}

function window(bits, start) {
  const at = start >>> 3, by = start & 7
  const low = bits[at] | bits[at + 1] << 8 | bits[at + 2] << 16 | bits[at + 3] << 24
  return by ? low >>> by | bits[at + 4] << 32 - by : low
}

// Two words of 32 bits: MurmurHash3, with the multipliers of each lane.
function hashed(text, seed) {
  return LANES.map(([first, by, second]) => {
    const scrambled = block => Math.imul(rotated(Math.imul(block, first), by), second), whole = text.length & ~3
    let h = seed, rest = 0
    for (let at = 0; at < whole; at += 4) {
      const block = text[at] | text[at + 1] << 8 | text[at + 2] << 16 | text[at + 3] << 24
      h = Math.imul(rotated(h ^ scrambled(block), 13), 5) + 0xE6546B64 | 0
    }
    for (let at = whole; at < text.length; at++) rest |= text[at] << 8 * (at - whole)
    return finished(h ^ scrambled(rest) ^ text.length)
  })
}

function finished(x) {
  x = Math.imul(x ^ x >>> 16, 0x85EBCA6B)
  x = Math.imul(x ^ x >>> 13, 0xC2B2AE35)
  return (x ^ x >>> 16) >>> 0
}

function crc(bytes) {
  const table = Int32Array.from({ length: 256 }, (_, x) => { for (let i = 0; i < 8; i++) x = x & 1 ? x >>> 1 ^ 0xEDB88320 : x >>> 1; return x })
  return ~bytes.reduce((x, octet) => x >>> 8 ^ table[(x ^ octet) & 255], -1) >>> 0
}
