// The player's least costs on a level, by metric, each with its moves: in this browser, and in the store of the server.

import { counted } from "../app/words.js"

const KEY = "puzzlemc:record:"  // and the digest of the level, which is the same wherever the level stands

export class Record {
  // `least()` is the least cost of a solution by the first metric, with `optimal` if that is proved; null if none is known. `changed()` is called after a record.
  constructor(metrics, least, changed) {
    Object.assign(this, { metrics, least, changed, level: "", best: {}, before: null })
  }

  // The answer about a level: its digest, what the store has, and the costs of a solution of the player.
  hear({ level, stored = {}, costs, moves }) {
    if (level !== this.level) {
      this.level = level
      this.recall()
    }
    this.failed = stored.failed ?? ""
    if (!this.failed) for (const [metric, found] of Object.entries(stored)) if (metric !== "failed") this.take(metric, found)
    if (Object.keys(stored).length && !this.failed) keep(level, this.best)
    if (costs) this.add(costs, moves)
  }

  recall() { for (const [metric, found] of Object.entries(kept(this.level))) this.take(metric, found) }

  take(metric, found) { if (!(this.best[metric]?.cost <= found.cost)) this.best[metric] = found }

  // A solution of the player. It may come twice: when it is played, and when the level is known.
  add(costs, moves) {
    if (!this.level) return
    this.recall()  // another page may have a better one
    const before = Object.fromEntries(Object.entries(this.best).map(([metric, { cost }]) => [metric, cost]))
    for (const [metric, cost] of Object.entries(costs)) this.take(metric, { cost, moves })
    if (Object.entries(costs).some(([metric, cost]) => !(before[metric] <= cost))) this.before = before
    keep(this.level, this.best)
    this.changed()
  }

  get moves() { return this.best[this.metrics[0]]?.moves ?? null }

  // In words: `Yours: 23 pushes, 61 moves. Best: 18 pushes.`
  words() {
    const [first] = this.metrics, least = this.least()
    const yours = this.metrics.filter(metric => this.best[metric]).map(metric => counted(this.best[metric].cost, metric))
    if (!yours.length) return ""
    const best = least == null ? "" : least.optimal && this.best[first]?.cost === least.cost ? "There is none better." : `${least.optimal ? "Best" : "Best known"}: ${counted(least.cost, first)}.`
    return `Yours: ${yours.join(", ")}. ${best}`.trim()
  }

  // What the last solution has made better.
  better() {
    if (!this.before) return ""
    const was = this.metrics.filter(metric => metric in this.before && this.best[metric].cost < this.before[metric]).map(metric => counted(this.before[metric], metric))
    return was.length ? `A new record: it was ${was.join(", ")}.` : ""
  }
}

// The player's least cost on a level by a metric, for lists of levels; null without a solution.
export const yours = (level, metric) => level ? kept(level)[metric]?.cost ?? null : null

function kept(level) {
  try {
    const found = JSON.parse(localStorage.getItem(KEY + level) ?? "{}")
    return Object.fromEntries(Object.entries(found).filter(([, each]) => Number.isInteger(each?.cost) && Array.isArray(each.moves)))
  } catch { return {} }
}

function keep(level, best) {
  try { localStorage.setItem(KEY + level, JSON.stringify(best)) } catch { /* private windows may refuse, and a browser may be full */ }
}
