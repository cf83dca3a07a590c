// What is known of each position of a level, packed by `table.py`: lost, or a best move. It has no positions, but
// answers for their keys only: other keys get any answer. Solved positions are never asked for.

// The function `value(key, moves)` of `known`: `{ lost: true }`, or `{ best }`, the place of a best move in `moves`,
// which are all moves of the position, with a `name` each; `{}` if no position has as many moves.
export async function known(data) {
  const value = data.kind === "list" ? await list(data) : packed(data)
  return {
    value(key, moves) {
      const names = moves.map(({ name }) => name)
      const sorted = names.toSorted ? names.toSorted() : [...names].sort()
      const found = value(key, sorted)
      if (found === undefined) return {}
      return found === 0 ? { lost: true } : { best: names.indexOf(sorted[found - 1]) }
    },
  }
}

export function octets(base64) {
  return Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))
}

export async function inflated(base64) {
  const stream = new Blob([octets(base64)]).stream().pipeThrough(new DecompressionStream("deflate"))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

// Values by the numbers of positions.
async function list({ data, positions, wide }) {
  const low = await inflated(data)
  return key => low[key] + (wide ? low[+key + positions] << 8 : 0)
}

// Values by codewords, whose bits are those of a static function.
function packed({ seed, filter, codes, data, entries }) {
  const bits = octets(data), sieve = filter && octets(filter.data)
  const tree = new Map(Object.entries(codes).map(([context, pairs]) => [context, words(pairs)]))
  return (key, names) => {
    const hash = hashed(key, seed)
    if (filter && !passes(hash, sieve, filter)) return 0
    const code = tree.get(String(names.length)) ?? tree.get(names.join("\n"))
    if (!code) return undefined
    let word = 1
    for (let j = 0; !code.has(word); j++) word = word << 1 | bit(hash, j, bits, entries)
    return code.get(word)
  }
}

// The symbols by their codewords, with a 1 before each. Shorter codewords come first, then those of smaller symbols.
function words(pairs) {
  const list = []
  for (let at = 0; at < pairs.length; at += 2) list.push([pairs[at + 1], pairs[at]])
  list.sort(([length, symbol], [other, smaller]) => length - other || symbol - smaller)
  const found = new Map()
  let word = 0, before = 0
  for (const [length, symbol] of list) {
    word <<= length - before
    found.set(1 << length | word, symbol)
    word++
    before = length
  }
  return found
}

// Hashes: two words of 32 bits.

const encoder = new TextEncoder()
const LANES = [[0xCC9E2D51, 15, 0x1B873593], [0x239B961B, 16, 0xAB0E9789]]

function hashed(key, seed) {
  const text = encoder.encode(key)
  return LANES.map(lane => murmur(text, seed, lane))
}

const rotated = (x, by) => x << by | x >>> 32 - by

function finished(x) {
  x = Math.imul(x ^ x >>> 16, 0x85EBCA6B)
  x = Math.imul(x ^ x >>> 13, 0xC2B2AE35)
  return (x ^ x >>> 16) >>> 0
}

function murmur(text, seed, [first, by, second]) {
  const scrambled = block => Math.imul(rotated(Math.imul(block, first), by), second)
  const whole = text.length & ~3
  let h = seed, rest = 0
  for (let at = 0; at < whole; at += 4) {
    const block = text[at] | text[at + 1] << 8 | text[at + 2] << 16 | text[at + 3] << 24
    h = Math.imul(rotated(h ^ scrambled(block), 13), 5) + 0xE6546B64 | 0
  }
  for (let at = whole; at < text.length; at++) rest |= text[at] << 8 * (at - whole)
  return finished(h ^ scrambled(rest) ^ text.length)
}

// The filter: lost positions pass it by chance only.
function passes([low, high], bits, { bits: count, entries }) {
  const print = finished(finished(low) ^ high)
  for (let j = 0; j < count; j++) if (bit([low, high], j, bits, entries) !== (print >>> j & 1)) return false
  return true
}

// A bit of a static function: the parity of some of 64 neighbouring entries.
function bit([low, high], number, bits, entries) {
  const mixed = finished(low ^ Math.imul(number + 1, 0x9E3779B1))
  const one = finished(high ^ mixed), other = finished(one + 0x7F4A7C15)
  const start = Math.floor((mixed >>> 6) * (entries - 63) / 2 ** 26)
  return parity((one | 1) & window(bits, start) ^ other & window(bits, start + 32))
}

// 32 entries of an array of bits.
function window(bits, start) {
  const at = start >>> 3, by = start & 7
  const low = bits[at] | bits[at + 1] << 8 | bits[at + 2] << 16 | bits[at + 3] << 24
  return by ? low >>> by | bits[at + 4] << 32 - by : low
}

function parity(x) {
  x ^= x >>> 16
  x ^= x >>> 8
  x ^= x >>> 4
  x ^= x >>> 2
  return (x ^ x >>> 1) & 1
}
