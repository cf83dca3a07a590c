// The choices along the moves, as a strip under the board: where only one step does not lose, where several ways are equally short, where a step loses.

import { html } from "../app/html.js"

// By the kinds of the server: in short, and in words.
const KINDS = {
  only: ["all others lose", ({ steps }) => steps === 1 ? "forced: there is no other" : "forced: all others lose"],
  best: ["all others are longer", ({ kept }) => `forced in a shortest solution; ${kept} do not lose`],
  branch: ["several are shortest", ({ shortest }) => `a branch: ${shortest} steps begin shortest solutions`],
  detour: ["a detour", ({ kept }) => `a detour: it is longer than a shortest solution; ${kept} steps do not lose`],
  loses: ["loses", ({ kept }) => `it loses; ${kept} ${kept === 1 ? "step does" : "steps do"} not`],
  lost: ["lost before", () => "the level was lost before"],
}

export class Strip {
  constructor(play) {
    Object.assign(this, { play, steps: [], of: "", heard: false })
    this.bar = html("div", { class: "strip", role: "img", onclick: event => {
      const { step } = event.target.dataset
      if (step) play.seek(this.steps[step].end - 1)
    } })
    this.legend = html("div", { class: "keys" }, Object.entries(KINDS).map(([kind, [name]]) => html("span", {}, html("i", { class: kind }), name)))
    this.place = html("div", { class: "choices", hidden: Boolean(play.kind.sides) }, this.bar, this.legend)
  }

  // What a question asks besides.
  wants() { return this.play.kind.sides || this.isShown() && this.play.running === "line" ? {} : { choices: true, line: this.play.line.slice(this.play.at) } }

  // The choices along the line, which is the one on the page.
  hear({ of, steps }) {
    const { line } = this.play
    this.heard = true
    if (of !== line.length) return
    this.of = line.join(" ")
    this.steps = steps.map(([begin, end, kind, count, kept, shortest]) => ({ begin, end, kind, steps: count, kept, shortest }))
    const total = kind => this.steps.filter(each => each.kind === kind).length
    this.bar.setAttribute("aria-label", `${this.steps.length} steps: ${Object.entries(KINDS).filter(([kind]) => total(kind)).map(([kind, [name]]) => `${name} ${total(kind)}`).join(", ")}`)
    this.bar.replaceChildren(...this.steps.map((each, at) => html("span", { class: each.kind, "data-step": at, title: `Step ${at + 1}, move ${each.end}: ${KINDS[each.kind][1](each)}` })))
    for (const each of this.legend.children) each.hidden = !total(each.firstElementChild.className)
  }

  isShown() { return this.steps.length > 0 && this.of === this.play.line.join(" ") }

  show() {
    const { at } = this.play, shown = this.isShown()
    this.place.classList.toggle("empty", !shown)  // its place stays, and so does the board
    const hidden = Boolean(this.play.kind.sides || this.play.advice && !this.heard)  // nothing is known of a large level
    if (hidden !== this.place.hidden) {
      this.place.hidden = hidden
      this.play.resize()
    }
    if (!shown) return
    const next = this.steps.findIndex(each => each.end > at)
    this.bar.querySelector(".at")?.classList.remove("at")
    this.bar.children[next]?.classList.add("at")
  }
}
