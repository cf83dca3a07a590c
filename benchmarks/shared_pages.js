// Compares what a page knows with all positions: node shared_pages.js < question. See shared_pages.py.
// The rules of the page make all positions, a search of its own from the solved ones finds the least costs.

let text = ""
for await (const part of process.stdin) text += part
const { script, level, looks, table, data, metric, keys, left } = JSON.parse(text)
const made = new Function(`${script}\nreturn { rules: module_rules.rules, known: module_known.known }`)()
const began = performance.now()
const rules = table ? await made.rules(table) : made.rules(level, looks)
const known = await made.known(data)
const opened = performance.now() - began

const positions = [rules.start()], number = new Map([[rules.key(positions[0]), 0]]), steps = [], back = []
for (let at = 0; at < positions.length; at++) {
  steps.push(rules.moves(positions[at]).map(({ position, costs, name }) => {
    const key = rules.key(position)
    if (!number.has(key)) number.set(key, positions.push(position) - 1)
    return { name, to: number.get(key), cost: costs[metric] }
  }))
}
for (const _ of positions) back.push([])
for (const [from, row] of steps.entries()) for (const { to, cost } of row) back[to].push([from, cost])
const solved = positions.map(position => rules.solved(position))

// The least costs, in buckets of equal costs.
const least = new Array(positions.length).fill(-1), buckets = [[]]
for (const [at, holds] of solved.entries()) if (holds) buckets[0].push(at)
for (let cost = 0; cost < buckets.length; cost++) {
  for (let place = 0; place < (buckets[cost]?.length ?? 0); place++) {
    const at = buckets[cost][place]
    if (least[at] >= 0) continue
    least[at] = cost
    for (const [from, price] of back[at]) if (least[from] < 0) (buckets[cost + price] ??= []).push(from)
  }
}

const names = [...number.keys()], then = performance.now()
const values = positions.map((_, at) => solved[at] ? null : known.value(names[at], steps[at]))
const micros = (performance.now() - then) * 1000 / positions.length

// What following best moves costs: -1 for lost ones, -2 where it leads in a circle or to a lost position.
const paid = new Array(positions.length).fill(null)
for (let at = 0; at < positions.length; at++) {
  const way = []
  let here = at
  while (paid[here] === null && !solved[here] && !values[here].lost) {
    paid[here] = -2
    way.push(here)
    here = steps[here][values[here].best].to
  }
  if (paid[here] === null) paid[here] = solved[here] ? 0 : -1
  let rest = paid[here] < 0 ? -2 : paid[here]
  for (const each of way.reverse()) paid[each] = rest = rest === -2 ? -2 : rest + steps[each][values[each].best].cost
}

const engine = new Map(keys.map((key, at) => [key, left[at]]))
let differ = Math.abs(engine.size - positions.length)
for (const [at, name] of names.entries()) if (paid[at] !== least[at] || least[at] !== engine.get(name)) differ++
console.log(JSON.stringify({ positions: positions.length, lost: least.filter(each => each < 0).length, differ, opened, micros, first: least[0] }))
