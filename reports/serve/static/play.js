// Playing a level. The server plays each move by the rules, and says whether the position can still be solved.

import { ask } from "./wire.js"
import { byId, html, button } from "./html.js"
import { element, group, fit } from "./shapes.js"
import { counted } from "./words.js"

const KEYS = {
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", Enter: "enter", " ": "space",
  Tab: "tab", Escape: "escape",
}
const ARROWS = { l: "←", u: "↑", r: "→", d: "↓" }
const STEP = 140  // milliseconds between the moves of a solution

export class Play {
  constructor(stage, tools, level) {
    Object.assign(this, { stage, level, moves: [], keys: [], future: [], known: null, position: null, running: false })
    this.boardPlace = element("g")
    this.piecesPlace = element("g")
    this.over = element("g")
    this.svg = element("svg", { tabindex: 0, role: "application", "aria-label": "Board: arrow keys play" }, this.boardPlace, this.piecesPlace, this.over)
    stage.replaceChildren(this.svg)
    this.tools(tools)
    this.listen()
    this.ask({ board: true })
    this.svg.focus({ preventScroll: true })
  }

  tools(place) {
    this.undoButton = button("↶ Undo", "Take back a move (Z or Backspace)", () => this.undo())
    this.redoButton = button("↷", "Play it again (Y)", () => this.redo())
    place.replaceChildren(
      this.undoButton, this.redoButton,
      button("Restart", "Take back all moves (R)", () => this.goTo(0)),
      button("Hint", "The next moves of a shortest solution (H)", () => this.hint()),
      this.runButton = button("▶ Solve", "Play a shortest solution from here (S)", () => this.run()))
  }

  ask(more = {}) {
    this.advice = null
    ask({ ask: "play", ...this.level, moves: this.moves, keys: this.keys, ...more }, answer => this.hear(answer))
  }

  hear(answer) {
    if (answer.kind === "position") {
      this.position = answer
      this.moves = answer.moves
      this.keys = []
      this.draw(answer.picture)
    } else if (answer.kind === "advice") {
      this.advice = answer
      if (this.running) this.next()
    } else if (answer.kind === "faults") {
      this.message = answer.faults[0].message
      this.running = false
    } else if (answer.kind === "done" && !this.advice) this.running = false
    this.show()
  }

  draw({ width, height, board, pieces }) {
    if (board) {
      this.boardPlace.replaceWith(this.boardPlace = group(board))
      this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
      Object.assign(this, { width, height })
      this.resize()
    }
    this.piecesPlace.replaceWith(this.piecesPlace = group(pieces))
    this.over.replaceChildren()
  }

  resize() { if (this.width) fit(this.svg, this.width, this.height) }

  key(name) {
    this.running = false
    this.future = []
    this.keys = [...this.keys, name]
    this.ask()
  }

  undo() { this.goTo(this.moves.length - 1) }

  redo() {
    if (!this.future.length) return
    this.running = false
    this.moves = [...this.moves, this.future.shift()]
    this.ask()
  }

  goTo(number) {
    this.running = false
    if (number < 0 || number >= this.moves.length) return
    this.future = [...this.moves.slice(number), ...this.future]
    this.moves = this.moves.slice(0, number)
    this.keys = []
    this.ask()
  }

  play(moves) {
    this.future = []
    this.moves = [...this.moves, ...moves]
    this.ask()
  }

  hint() {
    this.hinted = true
    this.show()
  }

  run() {
    this.running = !this.running
    if (this.running && this.advice) this.next()
    this.show()
  }

  // One move further on a shortest solution; the whole way is a move at a time.
  next() {
    const move = this.advice?.next?.[0]
    if (!move || this.position?.solved) {
      this.running = false
      return
    }
    clearTimeout(this.timer)
    this.timer = setTimeout(() => { if (this.running) this.play([move]) }, STEP)
  }

  close() {
    this.running = false
    clearTimeout(this.timer)
    this.gone.abort()
  }

  listen() {
    this.gone = new AbortController()
    const { signal } = this.gone
    const act = {
      z: () => this.undo(), Backspace: () => this.undo(), y: () => this.redo(), r: () => this.goTo(0), h: () => this.hint(), s: () => this.run(),
    }
    document.addEventListener("keydown", event => {
      if (event.target.closest?.("textarea,select,summary,button") || event.altKey) return
      if (event.ctrlKey || event.metaKey) return
      if (event.key === "Tab") return
      if (act[event.key]) act[event.key]()
      else if (KEYS[event.key]) this.key(KEYS[event.key])
      else return
      event.preventDefault()
    }, { signal })
    let from = null
    const cell = event => {
      const box = this.svg.getBoundingClientRect()
      return [Math.floor((event.clientY - box.top) / box.height * this.height), Math.floor((event.clientX - box.left) / box.width * this.width)]
    }
    this.svg.addEventListener("pointerdown", event => {
      event.preventDefault()
      this.svg.setPointerCapture(event.pointerId)
      from = cell(event)
    })
    this.svg.addEventListener("pointerup", event => {
      if (!from) return
      this.running = false
      this.future = []
      this.ask({ pointer: [...from, ...cell(event)].map(at => Math.max(-1, at)) })
      from = null
    })
  }

  show() {
    const { position, advice } = this
    const lines = []
    if (position) {
      const metric = Object.keys(position.costs)[0]
      const spent = metric ? counted(position.costs[metric], metric) : `${this.moves.length} moves`
      if (position.solved) lines.push(html("h2", { class: "good" }, "Solved"), html("p", { class: "big" }, `in ${spent}`))
      else if (!advice) lines.push(html("h2", { class: "soft" }, "…"))
      else if (advice.solvable === false) {
        lines.push(html("h2", { class: "bad" }, "Lost"))
        if (advice.exact && advice.since > 0) {
          lines.push(html("p", { class: "big" }, `Lost since move ${advice.since}.`))
          lines.push(html("p", {}, button("Go back there", `Take back all moves from move ${advice.since} on`, () => this.goTo(advice.since - 1))))
        } else lines.push(html("p", { class: "big" }, "The level has no solution from the start."))
      } else if (advice.solvable) {
        lines.push(html("h2", { class: "good" }, "Still solvable"))
        lines.push(html("p", { class: "big" }, `${counted(advice.left, metric)} to go`))
      } else lines.push(html("h2", { class: "warn" }, "Not known"), html("p", {}, "The limit of time was reached."))
      lines.push(html("p", { class: "soft" }, `${spent} so far`))
      if (this.hinted && advice?.next?.length && !position.solved) {
        const way = advice.next.map(move => ARROWS[move.toLowerCase()] ?? move).join(" ")
        lines.push(html("p", { class: "big" }, "Next: ", html("b", {}, way)))
      }
    }
    if (this.message) lines.push(html("p", { class: "bad" }, this.message))
    byId("verdict").replaceChildren(...lines)
    byId("facts").replaceChildren(html("p", { class: "soft" }, position?.prompt || "Arrow keys, or click where to go; drag a box to push it there."),
      html("div", { class: "legal" }, (position?.legal ?? []).map(([name, words]) => button(words, name, () => this.play([name])))))
    this.undoButton.disabled = !this.moves.length
    this.redoButton.disabled = !this.future.length
    this.runButton.textContent = this.running ? "❚❚ Stop" : "▶ Solve"
    if (advice) this.hinted = this.hinted && !this.keys.length
  }
}
