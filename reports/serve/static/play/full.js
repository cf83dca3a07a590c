// The level that is played on the whole screen: the verdict above the board, the keys below it, and nothing else.

import { button } from "../app/html.js"
import { element } from "../picture/shapes.js"

const CORNERS = "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4", CROSS = "M3 3l10 10M13 3L3 13"
const AWAY = 1000  // milliseconds without a level that is played, until the full screen ends

let wanted = false, leaving  // the next level is shown so, too

export class Full {
  constructor(play) {
    this.play = play
    this.sign = element("path", { fill: "none", stroke: "currentColor", "stroke-width": 1.8 })
    this.button = button(element("svg", { viewBox: "0 0 16 16", width: 15, height: 15, "aria-hidden": "true" }, this.sign), "", () => this.toggle(), { class: "sign", "aria-label": "Full screen" })
    document.addEventListener("fullscreenchange", () => { if (!document.fullscreenElement && wanted) this.show(false) }, { signal: play.gone.signal })
    this.show(wanted)
  }

  toggle() {
    this.show(!wanted)
    if (wanted) document.documentElement.requestFullscreen?.().catch(() => {})  // some browsers do not let pages do so: then it is all of the page
    else if (document.fullscreenElement) document.exitFullscreen()
  }

  show(on) {
    clearTimeout(leaving)
    wanted = on
    document.body.classList.toggle("full", on)
    this.sign.setAttribute("d", on ? CROSS : CORNERS)
    this.button.title = on ? "End the full screen (F or Esc)" : "Full screen (F)"
    this.button.setAttribute("aria-pressed", String(on))
    this.play.resize()
  }

  // Esc ends the full screen, and is else a key of the puzzle.
  escape() {
    if (wanted) this.toggle()
    else this.play.key("escape")
  }

  close() {
    document.body.classList.remove("full")
    leaving = setTimeout(() => {
      wanted = false
      if (document.fullscreenElement) document.exitFullscreen()
    }, AWAY)
  }
}
