// Levels that are written as text: the editor, the list of all levels of the text, judged after each edit, and the warnings about them.

import { byId, html } from "../app/html.js"
import { element, group } from "../picture/shapes.js"
import { linked } from "../app/verdict.js"
import { brief, sentence } from "../app/words.js"
import { askAside } from "../app/wire.js"

const MOST_KEPT = 500  // verdicts, and pictures
const verdicts = new Map(), pictures = new Map()  // by keys of levels, and by digests of pictures
let editor = null, ofLevel = [], ofAll = []  // the faults of the level that is shown, and of all levels

// The editor with highlighting; the plain text area is there until it has come.
export async function edit(changed) {
  if (editor) return
  const made = await import("./editor.bundle.js")
  editor = made.editor(byId("editor"), changed)
}

export const write = text => { if (editor) editor.text = text }
export const colours = on => { if (editor) editor.colours = on }
export const faults = found => mark(ofLevel = found)
export const goTo = place => editor?.show(place)
export const ready = () => Boolean(editor)
export const isFocused = () => Boolean(editor?.focused)

// Is a text an edit of another one, not another thing? Then at least half of the different lines are in both.
export function akin(one, other) {
  const [lines, others] = [one, other].map(text => new Set(text.split("\n").filter(line => line.trim())))
  return 2 * [...others].filter(line => lines.has(line)).length >= Math.max(lines.size, others.size)
}

const mark = () => editor?.faults([...new Map([...ofLevel, ...ofAll].map(each => [JSON.stringify(each), each])).values()])

function keep(map, key, value) {
  map.delete(key)
  map.set(key, value)
  if (map.size > MOST_KEPT) map.delete(map.keys().next().value)
}

export class Review {
  // `chosen()` shows the level at `at`. `now` are the verdicts on `text`, `before` those on the text before the last edit.
  constructor(chosen) {
    this.chosen = chosen
    this.forget()
  }

  forget(at = 0) { Object.assign(this, { at, text: null, asked: null, titles: [], now: new Map(), shown: new Map(), before: new Map(), warnings: [], stale: false }) }

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
        if (this.covers(this.text)) this.before = this.now
        Object.assign(this, { text, titles: answer.titles, now: new Map() })
      }
      answer.keys.forEach((key, number) => { if (verdicts.has(key)) this.now.set(number, verdicts.get(key)) })
      mark(ofAll = [])
      if (this.before.size !== this.titles.length) this.before = new Map()
      if (this.at >= this.titles.length) return this.choose(this.titles.length - 1)
    } else if (answer.kind === "lint") {
      this.warnings = answer.warnings
    } else if (answer.kind.startsWith("level ")) {
      this.now.set(answer.number, answer)
      if (answer.final && answer.key) keep(verdicts, answer.key, answer)
      if (answer.faults) mark(ofAll = [...ofAll, ...answer.faults])
    } else if (answer.kind.startsWith("picture ")) {
      if (answer.picture) keep(pictures, answer.look, answer.picture)
      this.shown.set(answer.number, pictures.get(answer.look))
    } else if (answer.failed) this.asked = null
    this.show()
  }

  changes() {
    return [...this.now].filter(([number, found]) => this.before.has(number) && brief(this.before.get(number)) !== brief(found))
  }

  // What the game holds in vain.
  warn() {
    const { length } = this.warnings, place = byId("lint")
    place.hidden = this.stale || !length
    place.firstElementChild.textContent = length === 1 ? "1 warning about the game" : `${length} warnings about the game`
    place.lastElementChild.replaceChildren(...this.warnings.map(each => html("li", {}, linked(each, goTo), sentence(each.message))))
  }

  show() {
    this.warn()
    const place = byId("strip")
    place.hidden = this.titles.length < 2
    place.classList.toggle("stale", this.stale)
    const items = this.titles.map((title, number) => {
      const found = this.now.get(number), old = this.before.get(number) ?? found
      const thumb = html("span", { class: "thumb" })
      const picture = this.shown.get(number)
      if (picture) thumb.append(element("svg", { viewBox: `0 0 ${picture.width} ${picture.height}`, "aria-hidden": "true" }, group(picture.board), group(picture.pieces)))
      const words = found ? brief(found) : "…", changed = found && old && brief(old) !== words
      const look = { solvable: "good", unsolvable: "bad" }[found?.verdict] ?? "warn"
      return html("button", {
        class: changed ? "item changed" : "item", title: title || `Level ${number + 1}`, "aria-current": number === this.at ? "true" : null,
        onclick: () => this.choose(number),
      }, thumb, html("span", { class: "name" }, title || `Level ${number + 1}`),
      html("span", { class: found ? `is ${look}` : "is" }, changed ? `${words}, was ${brief(old)}` : words))
    })
    const changed = this.stale ? [] : this.changes()
    const sum = changed.length ? html("p", { class: "changes", role: "status" }, `${changed.length} of ${this.titles.length} verdicts changed`) : ""
    const left = place.querySelector(".all")?.scrollLeft ?? 0, all = html("div", { class: "all" }, items)
    place.replaceChildren(sum, all)
    all.scrollLeft = left
    if (this.seen === this.at || !items.length) return
    this.seen = this.at
    const [list, item] = [all, items[this.at]].map(each => each.getBoundingClientRect())
    all.scrollLeft += Math.max(0, item.right - list.right) + Math.min(0, item.left - list.left)
  }
}
