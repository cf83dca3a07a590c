// What to change in a level: the smallest repairs of one without a solution, and changes that make another one better. Each is a small
// picture; under the pointer, or with the focus, it is seen on the board, and a click makes it.

import { html, button, toast } from "../app/html.js"
import { counted, number, percent, sentence } from "../app/words.js"
import { element, group } from "../picture/shapes.js"

const REPAIR = "solvable"
const KINDED = [REPAIR, "unique", "harder", "longer", "shorter"]  // wishes that any edit may reach
const PATIENCE = 300  // milliseconds
const WISHES = {  // in order
  unique: ["unique", "One solution alone: one set of pushes or moves, in whatever order"],
  harder: ["harder", "More turns from one piece to another in the shortest solution"],
  longer: ["longer", "A shortest solution that costs more"],
  shorter: ["shorter", "A shortest solution that costs less"],
  lean: ["lean", "Without what nothing needs: it is shaded on the board"],
  intended: ["free of shortcuts", "A solution of yours stays, and every shorter one goes"],
  only: ["yours alone", "A solution of yours stays, and every other set of pushes that is as short goes"],
  through: ["pass a cell", "Every solution passes a cell"],
}
const SOLUTION = ["solution", "Your solution: letters, words or arrows; it is the last one that you have played, if there is one", text => text.trim(), "Expected a solution: letters, words or arrows"]
const FORMS = {  // wishes about something: the words before its field, its title, how the field is read (empty if it cannot be), and what is said then
  intended: SOLUTION,
  only: SOLUTION,
  through: ["row, column", "The row and the column of the cell, from 1", text => text.trim().match(/^[^\d-]*([1-9]\d*)[^\d-]+([1-9]\d*)$/)?.slice(1).join() ?? "", "Expected a row and a column from 1, such as 3, 4, or a click on the cell"],
}
const NUMBERS = {  // names of the numbers that a wish is about, and how one is written
  box_changes: ["changes of box", number], solution_sets: ["sets of pushes", number],
  lost_share: ["of positions lost", value => percent(value, 1)],
}

export class Suggest {
  // `ask(want, quick, kind, heard)` asks the server; `board()` is what the level is drawn on, or null; `apply(change)` makes a change;
  // `shaded(found)` is called when other cells are `spare`; `own()` is a solution by the player as text, or empty.
  constructor(place, { ask, board, apply, shaded, own }) {
    Object.assign(this, { place, ask, board, apply, shaded, own, found: null, want: "", drawn: "", offers: [], timer: null, form: new Map(), kind: "", kinds: [], points: false, tapped: null })
    this.parts = { above: html("div"), words: html("p", { class: "soft", role: "status" }), below: html("div") }  // a reader of the screen hears what is said in the same place
    place.replaceChildren(...Object.values(this.parts))
    place.classList.add("idle")
  }

  // The cells that nothing needs.
  get spare() {
    return this.want === "lean" ? (this.found?.suggestions.get("lean")?.suggestions ?? []).flatMap(each => each.cells) : []
  }

  // `found` has the answers about the level so far; `wishes` and `kinds` of edits are those that the puzzle knows.
  show(found, { wishes, kinds }) {
    const { verdict, done } = found
    if (!kinds.includes(this.kind)) this.kind = ""
    if (found.kind !== this.kind) Object.assign(found, { kind: this.kind, suggestions: new Map() })
    this.kinds = kinds
    if (this.found !== found) {
      this.leave()
      Object.assign(this, { found, want: "", offers: [], form: new Map() })
    }
    if (!verdict && !done) return this.later(() => this.draw())
    this.offers = verdict ? this.offered(verdict, wishes) : []
    if (this.offers[0] === REPAIR) this.want = REPAIR
    if (this.want !== REPAIR || found.suggestions.has(REPAIR)) this.draw()
    else this.search(REPAIR, true)
  }

  // Another question, about the level of `found`, has ended the search. Of another level, what is seen stays until its answers come; nothing is drawn of the level before.
  end(found) {
    const { suggestions } = found
    if (this.found && found !== this.found) {
      clearTimeout(this.timer)
      this.timer = null
      this.place.inert = true
    }
    for (const [want, answer] of suggestions ?? []) {
      if (answer.goes_on) suggestions.set(want, { ...answer, goes_on: false, reason: "stopped" })
      else if (answer.searched) suggestions.delete(want)
    }
    if (!suggestions?.has(this.want)) this.want = ""
  }

  hide() {
    this.leave()
    Object.assign(this, { found: null, want: "", offers: [] })
    this.draw()
  }

  // What is seen stays for a moment, in which an answer is likely to come, and cannot be used.
  later(act) {
    this.place.inert = true
    this.timer ??= setTimeout(act, PATIENCE)
  }

  offered({ verdict, moves, arranges }, wishes) {
    if (verdict === "unsolvable") return wishes.filter(each => each === REPAIR)
    return verdict === "solvable" && moves ? Object.keys(WISHES).filter(each => wishes.includes(each) && (!arranges || each === "unique")) : []
  }

  search(want, quick) {
    const { found } = this
    found.suggestions.set(want, { searched: true })
    quick ? this.later(() => this.draw()) : this.draw()
    this.ask(this.form.has(want) ? `${want}=${this.form.get(want)}` : want, quick, KINDED.includes(want) ? this.kind : "", answer => {
      const before = found.suggestions.get(want)
      if (answer.kind === "suggest") found.suggestions.set(want, answer)
      else if (answer.kind === "done" && before?.goes_on) found.suggestions.set(want, { ...before, goes_on: false, reason: "stopped" })
      else if (answer.kind === "done" && before?.searched) found.suggestions.set(want, { failed: answer.stopped ? "The search was stopped" : answer.failed || "no answer", reason: "stopped" })
      if (want === "through" && answer.failed) this.points = true
      if (this.found === found) this.draw()
    })
  }

  choose(want) {
    this.leave()
    this.want = this.want === want ? "" : want
    this.points = this.want === "through"  // the next click on the board is on its cell
    this.draw()
    if (this.want && !(want in FORMS) && !this.found.suggestions.get(want)?.suggestions) this.search(want, false)
    if (this.want in FORMS) this.place.querySelector("[data-asked]").select()
  }

  // Which kind of edits may be made.
  by() {
    const change = event => {
      this.kind = event.target.value
      Object.assign(this.found, { kind: this.kind, suggestions: new Map() })
      this.search(this.want, this.want === REPAIR)
    }
    return html("label", { class: "by" }, "by ", html("select", { title: "What may be changed", "data-key": "by", onchange: change },
      ["", ...this.kinds].map(kind => html("option", { value: kind, selected: kind === this.kind }, kind || "any change"))))
  }

  // A cell of the board was clicked. Returns whether it is the one that is asked for.
  pick([row, column]) {
    if (!this.points || this.want !== "through" || !this.found) return false
    this.points = false
    this.form.set("through", `${row + 1},${column + 1}`)
    this.place.querySelector("[data-asked]").value = this.form.get("through")
    this.search("through", false)
    return true
  }

  cursor() {
    const [row, column] = this.board()?.at ?? [0, 0]
    return `${row + 1}, ${column + 1}`
  }

  // A field for what a wish is about.
  asked(want) {
    const [words, title, read, expected] = FORMS[want], value = this.form.get(want) ?? (FORMS[want] === SOLUTION ? this.own() : this.cursor())
    const field = html("input", { type: "text", value, title, "aria-label": title, "data-asked": want, "data-key": "asked", maxlength: 20000, spellcheck: "false", onkeydown: event => { if (event.key === "Enter") go() } })
    const go = () => {
      const text = read(field.value)
      this.points = want === "through" && !text
      this.form.set(want, field.value = text || field.value)
      if (text) return this.search(want, false)
      this.found.suggestions.set(want, { failed: expected })
      this.draw()
    }
    return html("div", { class: "row" }, html("label", {}, words, " ", field), button("Search", "Search for the fewest walls", go))
  }

  draw() {
    clearTimeout(this.timer)
    this.timer = null
    this.place.inert = false
    const answer = this.found?.suggestions.get(this.want), state = JSON.stringify([this.offers, this.want, this.kind, answer?.searched, answer?.failed, answer?.n, answer?.most, answer?.goes_on])
    if (state === this.drawn) return
    this.drawn = state
    this.leave()
    const { above, words, below } = this.parts, repairs = this.want === REPAIR, cards = answer?.suggestions ?? [], focused = document.activeElement?.dataset.key
    const wishes = repairs ? "" : html("div", { class: "row", role: "group", "aria-label": "Make it" }, this.offers.map(each =>
      button(WISHES[each][0], WISHES[each][1], () => this.choose(each), { "data-wish": each, "data-key": each, "aria-pressed": String(each === this.want) })))
    const written = above.querySelector("[data-asked]")
    if (written) this.form.set(written.dataset.asked, written.value)
    above.replaceChildren(...(this.offers.length ? [
      html("div", { class: "head" }, html("h3", {}, repairs ? "Repair" : "Make it…"), KINDED.includes(this.want) && this.kinds.length > 1 ? this.by() : ""),
      wishes, this.want in FORMS ? this.asked(this.want) : ""] : []))
    words.textContent = !this.want ? "" : this.points && !answer ? "Click on the cell on the board, or type its place." : said(answer, repairs)
    below.replaceChildren(
      cards.length ? html("div", { class: "changes" }, cards.map(each => this.card(each, answer))) : "",
      answer?.reason ? html("div", { class: "row" }, button("Search longer", "Search for up to a minute", () => this.search(this.want, false))) : "",
      this.spare.length ? html("p", { class: "soft legend" }, html("span", { class: "patch not-needed" }), "Not needed: each picture shows what can go together.") : "")
    this.place.classList.toggle("idle", !this.offers.length)
    if (!repairs && this.found) this.shaded(this.found)
    if (focused) [...this.place.querySelectorAll("[data-key]")].find(each => each.dataset.key === focused)?.focus()
  }

  card(change, { metric }) {
    const { left, top, width, height, board, pieces } = change.picture, rings = change.cells.map(([row, column]) => frame("ring", row, column))
    const numbers = [change.cost == null || change.arranged ? "" : html("b", {}, counted(change.cost, metric)), ...turned(change, metric).map(words => html("span", {}, words))]
    const see = () => this.ghost(change), leave = () => this.leave(), away = () => { if (this.tapped !== change) leave() }  // a mouse leaves after a tap
    const chosen = event => {
      if (event.pointerType !== "touch" || this.tapped === change) return this.take(change)
      see()
      this.tapped = change
      toast("The next tap makes this change.")
    }
    return html("button", { class: "card change-of", "data-key": change.words, title: "Change the level so: undo takes it back", onclick: chosen, onmouseenter: see, onfocus: see, onmouseleave: away, onblur: leave },
      element("svg", { viewBox: `${left} ${top} ${width} ${height}`, "aria-hidden": "true" }, group(board), group(pieces), ...rings),
      ...numbers, html("span", {}, sentence(change.words)))
  }

  take(change) {
    this.leave()
    this.apply(change)
    toast(`${sentence(change.words)} Undo takes it back.`)
  }

  ghost(change) { this.board()?.ghost(change) }

  leave() {
    this.tapped = null
    this.ghost(null)
  }
}

export const frame = (name, row, column) => element("rect", { class: name, x: column + .05, y: row + .05, width: .9, height: .9, rx: .12 })

// The places of a change, with lines between those that belong together.
export function frames({ cells, pairs }) {
  const line = ([[y1, x1], [y2, x2]]) => element("line", { class: "ghost-way", x1: x1 + .5, y1: y1 + .5, x2: x2 + .5, y2: y2 + .5 })
  return [...cells.map(([row, column]) => frame("ghost", row, column)), ...pairs.map(line)]
}

// What is known of the changes, in a sentence or two.
function said(answer, repairs) {
  if (!answer) return ""
  if (answer.searched) return "Searching…"
  if (answer.failed) return sentence(answer.failed)
  return answer.words.map(sentence).join(" ") + (answer.goes_on ? " Searching with one more edit…" : "") || (answer.suggestions.length ? "" : repairs ? "No repair was found." : "Nothing was found.")
}

// The numbers that have changed: `3 → 7 changes of box`; a cost by another metric as it is.
function turned({ before, after }, metric) {
  return Object.keys(after).filter(name => before[name] !== after[name] && after[name] != null && !["cost", metric].includes(name)).map(name => {
    if (!(name in NUMBERS)) return counted(after[name], name)
    const [title, write] = NUMBERS[name]
    return `${before[name] == null ? "" : `${write(before[name])} → `}${write(after[name])} ${title}`
  })
}
