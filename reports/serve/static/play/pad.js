// Moves as buttons: the keys of the puzzle below the board, and the legal moves by name.

import { html, button } from "../app/html.js"

const PAD = { up: "↑", left: "←", down: "↓", right: "→", x: "X", ".": "❚❚" }
const NAMES = { x: ["action", "The action (X)"], ".": ["tick", "Wait for a tick (.)"] }
const MOST_OFFERED = 60  // buttons of moves that keep their places

export class Pad {
  constructor(play) {
    this.play = play
    this.place = html("div", { class: "pad", role: "group", "aria-label": "Moves" })
    this.offered = new Map()
  }

  // The keys of the puzzle; each has its place, and one that does nothing now stays there.
  show() {
    const { play, place } = this, keys = Object.keys(play.position?.pad ?? {})
    if (place.children.length !== keys.length) {
      place.replaceChildren(...keys.map(key => {
        const [name, title] = NAMES[key] ?? [key, `Arrow key ${key}`]
        return button(PAD[key], title, () => play.key(key), { class: `pad-${name}`, "aria-label": name })
      }))
      play.resize()
    }
    keys.forEach((key, at) => { place.children[at].disabled = !play.position.pad[key] })
  }

  // The moves of the position. Those that were legal before keep their places.
  moves() {
    const legal = new Map(this.play.position?.legal ?? [])
    const offered = new Map([...this.offered, ...legal])
    this.offered = offered.size > MOST_OFFERED ? legal : offered
    return html("div", { class: "legal" }, [...this.offered].map(([name, words]) => button(words, name, () => this.play.play([name]), { disabled: !legal.has(name) })))
  }
}
