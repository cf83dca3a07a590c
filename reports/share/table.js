// The rules of a level out of a table of all its positions, which `tabulated.py` makes. Positions are numbers.
import { inflated } from "./known.js"

const WAYS = 4, NEW = 0, BACK = 1, ACROSS = 2  // to find the target of an edge; see tabulated.py

export async function rules({ positions, moves, edges, targets, solved, looks, stamps, pictures }) {
  const all = [edges, targets, solved, pictures].map(async each => numbers(await inflated(each)))
  const [written, away, gaps, drawings] = await Promise.all(all)
  const first = new Uint32Array(positions + 1), kind = new Uint32Array(written.length - positions), target = new Uint32Array(kind.length)
  const before = new Uint32Array(positions), by = new Uint32Array(positions)
  const after = (position, move) => target[kind.indexOf(move, first[position])]  // it has this move
  const goals = new Set(), place = new Uint32Array(positions)
  for (let position = 0, at = 0, edge = 0, next = 1, far = 0; position < positions; position++, at++) {
    for (; written[at]; at++, edge++) {
      const way = (written[at] - 1) % WAYS, move = kind[edge] = (written[at] - 1 - way) / WAYS
      if (way === NEW) {
        before[next] = position
        by[next] = move
        target[edge] = next++
      } else if (way === BACK) target[edge] = before[position]
      else if (way === ACROSS) target[edge] = after(after(before[position], move), by[position])
      else target[edge] = away[far] & 1 ? position + (away[far++] + 1) / 2 : position - away[far++] / 2
    }
    first[position + 1] = edge
  }
  let goal = 0
  for (const gap of gaps) goals.add(goal += gap)
  for (let position = 0, at = 0; position < positions; position++) {
    place[position] = at
    at += 3 + drawings[at + 2]
  }

  // The numbers of the stamps of a position: those that differ from the picture before it.
  const drawn = new Map()
  function picture(position) {
    const way = []
    while (!drawn.has(position) && (!way.length || way.at(-1) !== 0)) {
      way.push(position)
      position = before[position]
    }
    let seen = drawn.get(position) ?? []
    for (const each of way.reverse()) {
      const at = place[each], [start, end, fresh] = drawings.subarray(at, at + 3)
      seen = [...seen.slice(0, start), ...drawings.subarray(at + 3, at + 3 + fresh), ...seen.slice(seen.length - end)]
      drawn.set(each, seen)
    }
    return seen
  }

  return {
    start: () => 0,
    moves: position => [...kind.subarray(first[position], first[position + 1])].map((each, number) => {
      const [name, costs] = moves[each]
      return { name, position: target[first[position] + number], costs }
    }),
    solved: position => goals.has(position),
    key: String,
    picture: position => picture(position).map(each => {
      const [look, row, column] = stamps[each]
      return [looks[look], row, column]
    }),
  }
}

// Numbers from 0 in groups of seven bits, lowest first; all but the last have the eighth bit.
function numbers(octets) {
  const found = []
  let number = 0, size = 1
  for (const octet of octets) {
    number += (octet & 127) * size
    size *= 128
    if (octet < 128) {
      found.push(number)
      number = 0
      size = 1
    }
  }
  return Uint32Array.from(found)
}
