// The rules of a level out of a table of all its positions, which `tabulated.py` makes. Positions are numbers.
import { inflated } from "./known.js"

export async function rules({ positions, moves, degrees, kinds, targets, solved, looks, stamps, pictures }) {
  const all = [degrees, kinds, targets, solved, pictures].map(async each => numbers(await inflated(each)))
  const [degree, kind, away, gaps, written] = await Promise.all(all)
  const first = new Uint32Array(positions + 1), target = new Uint32Array(kind.length)
  const before = new Uint32Array(positions), goals = new Set(), place = new Uint32Array(positions)
  for (let position = 0, next = 1; position < positions; position++) {
    first[position + 1] = first[position] + degree[position]
    for (let edge = first[position]; edge < first[position + 1]; edge++) {
      const far = away[edge] - 1
      if (far < 0) before[next] = position
      target[edge] = far < 0 ? next++ : far & 1 ? position + (far + 1) / 2 : position - far / 2
    }
  }
  let goal = 0
  for (const gap of gaps) goals.add(goal += gap)
  for (let position = 0, at = 0; position < positions; position++) {
    place[position] = at
    at += 3 + written[at + 2]
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
      const at = place[each], [start, end, fresh] = written.subarray(at, at + 3)
      seen = [...seen.slice(0, start), ...written.subarray(at + 3, at + 3 + fresh), ...seen.slice(seen.length - end)]
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
