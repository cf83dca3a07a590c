// The verdicts that are kept as expected ones: in the browser for each document, by the rows of its levels; and as a file for `puzzlemc batch --expect`.

const MOST_KEPT = 2000  // verdicts of a document

// Is a verdict certain, so that it can be expected?
export const decided = found => Boolean(found) && (found.verdict === "unsolvable" || (found.verdict === "solvable" && found.optimal !== false))

// Do two verdicts contradict each other? One that a limit of time has ended says less.
export function differ(one, other) {
  if (!one || !other || one.verdict === "unknown" || other.verdict === "unknown") return false
  if (one.verdict !== other.verdict) return true
  const [least, cheaper] = one.optimal === false ? [other, one] : [one, other]
  if (one.cost == null || other.cost == null || least.optimal === false) return false
  return cheaper.optimal === false ? cheaper.cost < least.cost : cheaper.cost !== least.cost
}

export class Expected {
  // The expected verdicts of the document with this name.
  open(puzzle, name) {
    this.place = `puzzlemc:expected:${puzzle}:${name}`
    if (this.place === this.read) return
    this.read = this.place
    this.found = new Map()
    try { this.found = new Map(Object.entries(JSON.parse(localStorage.getItem(this.place) ?? "{}"))) } catch { /* another program's, or not allowed */ }
  }

  of(rows) { return this.found.get(rows) }

  get size() { return this.found.size }

  // Keep the verdicts of levels, by their rows, in the place of all others; returns why that failed.
  keep(levels) {
    this.found = new Map(levels.slice(0, MOST_KEPT).map(([rows, { verdict, cost, metric }]) => [rows, { verdict, cost, metric }]))
    try {
      localStorage.setItem(this.place, JSON.stringify(Object.fromEntries(this.found)))
    } catch {
      return "this browser keeps nothing: they are gone when the page is closed"
    }
    return ""
  }

  forget() {
    this.found.clear()
    try { localStorage.removeItem(this.place) } catch { /* nothing was kept */ }
  }

  // The lines of a file for `batch --expect`; `levels` has the rows of each level in order.
  lines(puzzle, name, levels) {
    const made = levels.map((rows, number) => ({ ...this.of(rows), number })).filter(each => each.verdict)
    return made.map(({ number, verdict, metric, cost }) => JSON.stringify({ id: `${name}#${number + 1}`, puzzle, verdict, metric, cost }) + "\n").join("")
  }
}
