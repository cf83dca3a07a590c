// All levels of a text are judged after each edit: their verdicts, what has changed, what is not as expected, and the warnings about them.

import { button, byId, html, toast } from "../app/html.js"
import { linked } from "../app/verdict.js"
import { brief, sentence } from "../app/words.js"
import { askAside } from "../app/wire.js"
import { decided, differ, Expected } from "./expected.js"
import { faultsOfAll, goTo } from "./texts.js"

export const MOST_LISTED = 1000  // levels of a text, as the server answers them
const MOST_KEPT = 600  // verdicts, and pictures
const verdicts = new Map(), pictures = new Map()  // by keys of levels, and by digests of pictures

function keep(map, key, value) {
  map.delete(key)
  map.set(key, value)
  if (map.size > MOST_KEPT) map.delete(map.keys().next().value)
}

export class Review {
  // `now` are the verdicts on `text`, `before` those on the text before the last edit, `rows` digests of what is of each level alone.
  // `chosen()` shows the level at `at`, `heard()` the list; `about()` has the puzzle and the name of the document, and `download(name, text)` makes a file.
  constructor({ chosen, heard, about, download }) {
    Object.assign(this, { chosen, heard, about, download, expected: new Expected() })
    this.forget()
  }

  forget(at = 0) { Object.assign(this, { at, text: null, asked: null, titles: [], keys: [], rows: [], now: new Map(), shown: new Map(), before: new Map(), last: null, opened: null, warnings: [], stale: false }) }

  // Are the verdicts on all levels of a text here?
  covers(text) { return text === this.text && [...this.now.values()].filter(each => each.final).length === this.titles.length }

  // Ask for the verdicts that are not here yet.
  ask(puzzle, text) {
    if (text === this.asked) return
    this.asked = text
    const known = [...verdicts.keys(), ...pictures.keys()]
    askAside({ ask: "review", puzzle, text, known, first: this.at }, answer => this.hear(answer, text))
  }

  choose(at) {
    this.at = at
    this.show()
    this.chosen()
  }

  hear(answer, text) {
    if (text !== this.asked) return
    if (answer.kind === "levels") {
      this.stale = !answer.titles.length  // a fault in the text: its levels are those of the text before
      if (this.stale) return this.show()
      if (text !== this.text) {
        if (this.covers(this.text)) this.last = { rows: this.rows, now: this.now }
        Object.assign(this, { text, titles: answer.titles, keys: answer.keys, rows: answer.rows, now: new Map() })
        this.opened ??= text  // nothing has changed when the text is again the one that was opened
        this.before = text === this.opened ? new Map() : this.found(this.last)
      }
      answer.keys.forEach((key, number) => { if (verdicts.has(key)) this.now.set(number, verdicts.get(key)) })
      faultsOfAll([])
      if (this.at >= this.titles.length) return this.choose(this.titles.length - 1)
    } else if (answer.kind === "lint") {
      this.warnings = answer.warnings
    } else if (answer.kind.startsWith("level ")) {
      if (!decided(this.now.get(answer.number)) || decided(answer)) this.settle(answer.number, answer)
      if (answer.faults) faultsOfAll([...this.now.values()].flatMap(each => each.faults ?? []))
    } else if (answer.kind.startsWith("picture ")) {
      if (answer.picture) keep(pictures, answer.look, answer.picture)
      this.shown.set(answer.number, { picture: pictures.get(answer.look), level: answer.level })
    } else if (answer.failed) this.asked = null
    this.show()
  }

  settle(at, found) {
    this.now.set(at, found)
    if (found.final && this.keys[at]) keep(verdicts, this.keys[at], found)
  }

  // What another question, which had more time, has found about the level that is shown.
  takeOver(verdict, { puzzle, text, level }) {
    if (puzzle !== this.about().puzzle || text !== this.text || !decided(verdict) || decided(this.now.get(level))) return
    const { cost, metric, best, optimal, game, arranges } = verdict
    this.settle(level, { verdict: verdict.verdict, cost, metric, best, optimal, game, arranges, final: true })
    this.show()
  }

  // The verdicts of the text before on the levels of this one, which may stand elsewhere; on a level that was drawn otherwise, too.
  found(last) {
    if (!last) return new Map()
    const byRows = new Map(last.rows.map((rows, number) => [rows, last.now.get(number)]))
    const pairs = this.rows.map((rows, number) => [number, byRows.get(rows) ?? (last.rows.length === this.rows.length ? last.now.get(number) : null)])
    return new Map(pairs.filter(([, verdict]) => verdict))
  }

  changes() { return [...this.now].filter(([number, found]) => differ(this.before.get(number), found)) }

  // The levels whose verdicts are not as expected.
  unexpected() { return [...this.now].filter(([number, found]) => differ(this.expected.of(this.rows[number]), found)) }

  // Keep the verdicts that are right now as expected ones.
  expect() {
    const certain = this.rows.map((rows, number) => [rows, this.now.get(number)]).filter(([, found]) => decided(found))
    const failed = this.expected.keep(certain), open = this.rows.length - certain.length
    toast(`${certain.length === 1 ? "1 verdict is" : `${certain.length} verdicts are`} expected from now on${open ? `, ${open} not: not decided` : ""}${failed ? `; ${failed}` : ""}`)
    this.show()
  }

  // What has changed, what is not as expected, and what can be done about that.
  summary() {
    const changed = this.stale ? [] : this.changes(), other = this.stale ? [] : this.unexpected(), all = this.titles.length, { puzzle, name } = this.about()
    const known = this.rows.filter(rows => this.expected.of(rows)).length
    const words = [
      changed.length > 0 && html("b", { class: "changes" }, `${changed.length} of ${all} verdicts changed`),
      known > 0 && !this.stale && (other.length ? html("b", { class: "changes" }, `${other.length} of ${known} not as expected`) : html("span", { class: "good" }, `${known} of ${all} as expected`)),
      known > 0 && known < all && !this.stale && html("span", { class: "soft" }, all - known === 1 ? " · 1 level has no expected verdict" : ` · ${all - known} levels have no expected verdict`),
    ].filter(Boolean)
    return [html("p", { role: "status" }, words), html("p", {},
      !this.stale && this.covers(this.text) && (!known || other.length || known < all) && button("Keep these verdicts as expected", "From now on, levels whose verdicts differ are marked", () => this.expect()),
      known > 0 && button("Download", "The expected verdicts as a file, for puzzlemc batch --expect", () => this.download(`${name || "game"}.expected.jsonl`, this.expected.lines(puzzle, name || "game", this.rows))),
      known > 0 && button("Forget", "No verdicts are expected any more", () => { this.expected.forget(); this.show() }))]
  }

  // What is odd in the text, or in vain.
  warn() {
    const { length } = this.warnings, place = byId("lint")
    place.hidden = this.stale || !length
    place.firstElementChild.textContent = length === 1 ? "1 warning" : `${length} warnings`
    place.lastElementChild.replaceChildren(...this.warnings.map(each => html("li", {}, linked(each, goTo), sentence(each.message))))
  }

  // A level of a text with `count` levels, for the list; nothing while the text has other levels.
  item(at, count) {
    if (Math.min(count, MOST_LISTED) !== this.titles.length) return null
    const found = this.now.get(at), was = this.before.get(at), expected = this.expected.of(this.rows[at])
    const note = differ(expected, found) ? `, expected ${brief(expected)}` : differ(was, found) ? `, was ${brief(was)}` : ""
    const { picture, level } = this.shown.get(at) ?? {}
    return { found: found && { ...found, level }, note, picture, stale: this.stale }
  }

  show() {
    const { puzzle, name } = this.about()
    this.expected.open(puzzle, name)
    this.warn()
    const place = byId("suite")
    place.hidden = this.titles.length < 2
    place.replaceChildren(...this.summary())
    this.heard()
  }
}
