// A level that is played: own moves, what is known of each position, hints. It knows no page.

const LONGEST = 100000  // steps of a way to the goal

export class Game {
  // `rules` and `known` as in encodings/puzzle/shared.py and known.js; `best` is a solution, `metric` what it is measured by.
  constructor(rules, known, best, metric) {
    Object.assign(this, { rules, known, best, metric, moves: [], future: [], positions: [rules.start()], paid: [{}], facts: new Map() })
    this.onBest = new Map()  // position on the way of the solution -> its number there
    let position = this.positions[0]
    this.onBest.set(rules.key(position), 0)
    for (const [number, name] of best.entries()) {
      position = this.step(position, name)?.position
      if (position === undefined) break
      this.onBest.set(rules.key(position), number + 1)
    }
  }

  get position() { return this.positions.at(-1) }

  get solved() { return this.rules.solved(this.position) }

  step(position, name) { return this.rules.moves(position).find(each => each.name === name) }

  // Play moves one by one; returns whether all are legal. Those before an illegal one are played.
  play(names, { keep = false } = {}) {
    for (const name of names) {
      const step = this.step(this.position, name)
      if (!step) return false
      if (!keep) this.future = []
      const before = this.paid.at(-1), costs = { ...before }
      for (const [metric, cost] of Object.entries(step.costs)) costs[metric] = (before[metric] ?? 0) + cost
      this.moves.push(name)
      this.positions.push(step.position)
      this.paid.push(costs)
    }
    return true
  }

  // Go back to the position after a number of moves; redo leads forward again.
  goTo(number) {
    if (number < 0 || number >= this.moves.length) return
    this.future = [...this.moves.slice(number), ...this.future]
    for (const each of [this.positions, this.paid]) each.length = number + 1
    this.moves.length = number
  }

  undo() { this.goTo(this.moves.length - 1) }

  redo() {
    const next = this.future.shift()
    if (next !== undefined) this.play([next], { keep: true })
  }

  // What is known of a position: {lost}, {name, cost} of a best move, or null.
  fact(position) {
    if (!this.known) return null
    const key = this.rules.key(position)
    if (!this.facts.has(key)) {
      const moves = this.rules.moves(position), { lost, best } = this.known.value(key, moves)
      this.facts.set(key, lost ? { lost: true } : moves[best] ? { name: moves[best].name, cost: moves[best].costs[this.metric] ?? 0, position: moves[best].position } : null)
    }
    return this.facts.get(key)
  }

  isLost(position) { return !this.rules.solved(position) && Boolean(this.fact(position)?.lost) }

  // The cheapest way to the goal, as far as it is known: its moves; null if there is none, or if none is known.
  way(position = this.position) {
    if (this.known) {
      const names = []
      while (!this.rules.solved(position)) {
        const found = this.fact(position)
        if (!found || found.lost || names.length > LONGEST) return null
        names.push(found.name)
        position = found.position
      }
      return names
    }
    const number = this.onBest.get(this.rules.key(position))
    return number === undefined ? null : this.best.slice(number)
  }

  cost(position, names) {
    let sum = 0
    for (const name of names) {
      const step = this.step(position, name)
      sum += step.costs[this.metric] ?? 0
      position = step.position
    }
    return sum
  }

  // solved; lost, with the number of the move that lost it (0: the level has no solution); open, with the cost that is left; or unknown, with the
  // number of own moves after which a solution is known.
  standing() {
    if (this.solved) return { kind: "solved" }
    if (this.known && this.isLost(this.position)) {
      let since = this.positions.length - 1
      while (since > 0 && this.isLost(this.positions[since - 1])) since -= 1
      return { kind: "lost", since }
    }
    const way = this.way()
    if (way) return { kind: "open", left: this.cost(this.position, way) }
    const back = this.positions.findLastIndex(position => this.onBest.has(this.rules.key(position)))
    return { kind: "unknown", back: this.known ? -1 : back }
  }

  // The next moves of the cheapest way, up to one that costs something; null if none is known.
  hint() {
    const way = this.way()
    if (!way) return null
    const names = []
    let position = this.position
    for (const name of way) {
      const step = this.step(position, name)
      names.push(name)
      position = step.position
      if (step.costs[this.metric]) break
    }
    return names
  }
}

// The moves of a pointer that is pressed on one cell and released on another, by what moves change in the picture: as in Python for own boards.
export function pointed(rules, position, from, to) {
  const seen = stamps(rules.picture(position)), changes = rules.moves(position).map(({ name, position: after }) => {
    const then = stamps(rules.picture(after))
    return { name, before: cells(seen, then), after: cells(then, seen) }
  })
  const only = names => names.length === 1 ? names : []
  const at = ([row, column]) => `${row},${column}`
  if (at(from) !== at(to)) {
    const led = only(changes.filter(({ before, after }) => before.has(at(from)) && after.has(at(to))).map(({ name }) => name))
    return led.length ? led : only(towards(rules, position, direction(to[0] - from[0], to[1] - from[1])))
  }
  const place = new RegExp(`(?<![0-9])${from[0] + 1}, ?${from[1] + 1}(?![0-9])`)
  for (const found of [changes.filter(({ name }) => place.test(name)), changes.filter(({ after }) => after.has(at(from))), changes.filter(({ before }) => before.has(at(from)))]) {
    if (found.length === 1) return [found[0].name]
  }
  return []
}

// Is a move called like a key: `left`, or `l`?
export function isCalled(name, key) {
  return [key, key[0], { x: "action", ".": "tick" }[key]].includes(name.toLowerCase())
}

// The moves that are called like a key.
export function towards(rules, position, key) {
  return rules.moves(position).map(({ name }) => name).filter(name => isCalled(name, key))
}

// The direction of a swipe.
export function direction(down, right) {
  if (Math.abs(down) > Math.abs(right)) return down < 0 ? "up" : "down"
  return right < 0 ? "left" : "right"
}

const stamps = picture => new Map(picture.map(([shapes, row, column]) => [`${row},${column} ${JSON.stringify(shapes)}`, `${row},${column}`]))
const cells = (one, other) => new Set([...one].filter(([key]) => !other.has(key)).map(([, cell]) => cell))
