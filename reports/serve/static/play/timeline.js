// The moves as a line: those that are played, then those that were taken back. A slider goes to any of them.

import { html, button } from "../app/html.js"

const SPEEDS = [1, 2, 4, 8]  // moves in a second
const SPEED = 4

export class Timeline {
  constructor(play) {
    this.play = play
    this.speed = SPEED
    const step = (text, name, title, to) => button(text, title, () => play.seek(to()), { "aria-label": name })
    this.back = [step("«", "To the start", "Take back all moves (R)", () => 0), button("↶", "Take back a move (Z or Backspace)", () => play.undo(), { "aria-label": "A move back" })]
    this.forth = [button("↷", "Play it again (Y)", () => play.redo(), { "aria-label": "A move forward" }), step("»", "To the end", "Play all moves again", () => play.line.length)]
    this.slider = html("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Go to a move", title: "Go to any move; another one can be played from there", oninput: () => play.seek(Number(this.slider.value)) })
    this.slider.addEventListener("pointerup", () => play.svg.focus({ preventScroll: true }))  // arrow keys play again
    this.again = button("▶", "", () => play.replay())
    const speeds = SPEEDS.map(each => html("option", { value: each, selected: each === this.speed }, `${each}/s`))
    this.chosen = html("select", { "aria-label": "Speed", title: "Moves in a second", onchange: event => { this.speed = Number(event.target.value) } }, speeds)
    this.said = html("span", { class: "soft" })
    this.place = html("div", { class: "timeline", role: "group", "aria-label": "The moves" }, this.back, this.slider, this.forth, this.again, this.chosen, this.said)
  }

  show() {
    const { play, slider } = this, { at, line: { length } } = play, words = `Move ${at} of ${length}`
    for (const each of this.back) each.disabled = !at
    for (const each of this.forth) each.disabled = at === length
    slider.max = length
    slider.value = at
    slider.disabled = !length
    slider.setAttribute("aria-valuetext", words)
    const title = play.running === "line" ? "Pause" : at === length ? "Replay from the start" : "Go on"
    this.again.textContent = play.running === "line" ? "❚❚" : "▶"
    this.again.title = title
    this.again.setAttribute("aria-label", title)
    this.again.disabled = !length
    this.said.textContent = words
  }
}
