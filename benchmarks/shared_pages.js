// Compares what a page knows with all positions: node shared_pages.js < question. See shared_pages.py.
// The rules of the page make all positions, a search of its own from the solved ones finds the least costs.

const SAMPLE = 20000  // positions whose look-ups are timed
let text = ""
for await (const part of process.stdin) text += part
const { script, rules: given, known: data, metric, keys, left } = JSON.parse(text)
const isTable = given.kind === "table"
const made = new Function(`${script}\nreturn [${isTable ? "module_table" : "module_rules"}.rules, module_known.known]`)()
const began = performance.now()
const rules = isTable ? await made[0](given) : made[0](given.level, given.looks), known = await made[1](data)
const opened = performance.now() - began

// The moves of position `at` are those from `first[at]` on.
const positions = [rules.start()], number = new Map([[rules.key(positions[0]), 0]]), first = [0], to = [], cost = []
for (let at = 0; at < positions.length; at++) {
  for (const { position, costs } of rules.moves(positions[at])) {
    const key = rules.key(position)
    if (!number.has(key)) number.set(key, positions.push(position) - 1)
    to.push(number.get(key))
    cost.push(costs[metric])
  }
  first.push(to.length)
}
const solved = positions.map(position => rules.solved(position)), names = [...number.keys()]

// The moves that lead to each position, and the least costs, in buckets of equal costs.
const start = new Int32Array(positions.length + 1), from = new Int32Array(to.length), by = new Int32Array(to.length)
for (const after of to) start[after + 1]++
for (let at = 0; at < positions.length; at++) start[at + 1] += start[at]
const next = start.slice()
for (let at = 0; at < positions.length; at++) {
  for (let edge = first[at]; edge < first[at + 1]; edge++) {
    const place = next[to[edge]]++
    from[place] = at
    by[place] = cost[edge]
  }
}
const least = new Int32Array(positions.length).fill(-1), buckets = [[]]
for (const [at, holds] of solved.entries()) if (holds) buckets[0].push(at)
for (let sum = 0; sum < buckets.length; sum++) {
  for (let place = 0; place < (buckets[sum]?.length ?? 0); place++) {
    const at = buckets[sum][place]
    if (least[at] >= 0) continue
    least[at] = sum
    for (let edge = start[at]; edge < start[at + 1]; edge++) if (least[from[edge]] < 0) (buckets[sum + by[edge]] ??= []).push(from[edge])
  }
}

// The place of the best move, -1 for lost positions.
const best = Int32Array.from(positions, (position, at) => {
  if (solved[at]) return -1
  const found = known.value(names[at], rules.moves(position))
  return found.lost ? -1 : found.best
})
const asked = [...positions.keys()].filter(at => !solved[at]).slice(0, SAMPLE).map(at => [names[at], rules.moves(positions[at])]), then = performance.now()
for (const [key, moves] of asked) known.value(key, moves)
const micros = (performance.now() - then) * 1000 / Math.max(1, asked.length)

// What following best moves costs: -1 for lost ones, -2 where it leads in a circle, to a lost position or nowhere.
const OPEN = -3, paid = new Int32Array(positions.length).fill(OPEN)
for (let at = 0; at < positions.length; at++) {
  const way = []
  let here = at
  while (paid[here] === OPEN && best[here] >= 0 && best[here] < first[here + 1] - first[here]) {
    paid[here] = -2
    way.push(here)
    here = to[first[here] + best[here]]
  }
  if (paid[here] === OPEN) paid[here] = solved[here] ? 0 : best[here] < 0 ? -1 : -2
  let rest = paid[here] < 0 ? -2 : paid[here]
  for (const each of way.reverse()) paid[each] = rest = rest === -2 ? -2 : rest + cost[first[each] + best[each]]
}

const engine = new Map(keys.map((key, at) => [key, left[at]]))
let differ = Math.abs(engine.size - positions.length)
for (const [at, name] of names.entries()) if (paid[at] !== least[at] || least[at] !== engine.get(name)) differ++
const lost = least.filter(each => each < 0).length
console.log(JSON.stringify({ positions: positions.length, lost, differ, opened, micros, first: least[0] }))
