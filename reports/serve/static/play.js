// Playing a level. The server plays each move by the rules, and says whether the position can still be solved.

import { ask } from "./wire.js"
import { byId, html, button } from "./html.js"
import { element, group, fit, lines } from "./shapes.js"
import { counted, number } from "./words.js"

const KEYS = {
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", Enter: "enter", " ": "space",
  Tab: "tab", Escape: "escape",
}
const ARROWS = { l: "←", u: "↑", r: "→", d: "↓" }
const MOST_KEYS = 2000
const STEP = 140  // milliseconds between the moves of a solution

export class Play {
  // `kind` is what the page knows of the puzzle.
  constructor(stage, tools, level, kind) {
    Object.assign(this, { stage, level, kind, bot: kind.bots.at(-1) ?? "", mine: null, moves: [], keys: [], future: [], known: null, position: null, running: false, explores: false, around: null })
    this.boardPlace = element("g")
    this.piecesPlace = element("g")
    this.over = element("g")
    this.svg = element("svg", { tabindex: 0, role: "application", "aria-label": "Board: arrow keys play" }, this.boardPlace, this.piecesPlace, this.over)
    stage.replaceChildren(this.svg)
    this.tools(tools)
    this.listen()
    this.ask()
    this.svg.focus({ preventScroll: true })
  }

  tools(place) {
    this.undoButton = button("↶ Undo", "Take back a move (Z or Backspace)", () => this.undo())
    this.redoButton = button("↷", "Play it again (Y)", () => this.redo())
    const restart = button("Restart", "Take back all moves (R)", () => this.goTo(0))
    this.runButton = button("▶ Solve", "Play a shortest solution from here (S)", () => this.run())
    if (this.kind.sides) {
      const bots = html("select", { "aria-label": "Opponent", title: "Who plays the other side", onchange: event => { this.bot = event.target.value; this.reply() } },
        [...this.kind.bots].reverse().map(name => html("option", { value: name }, `against ${name}`)), html("option", { value: "" }, "two people"))
      place.replaceChildren(this.undoButton, this.redoButton, restart, bots,
        button("Change sides", "The bot plays your side", () => { this.mine = 1 - this.position.turn; this.reply() }),
        button("Who wins?", "Ask the prover about this position (P)", () => this.prove()))
      return
    }
    this.exploreButton = button("Explore", "Walk in the graph of all positions: each move with the distance to the goal behind it (E)", () => this.explore(), { "aria-pressed": "false" })
    place.replaceChildren(
      this.undoButton, this.redoButton, restart, this.exploreButton,
      button("Hint", "The next moves of a shortest solution (H)", () => this.hint()),
      this.runButton)
  }

  ask(more = {}) {
    this.advice = this.proof = this.around = null
    this.message = ""
    ask({ ask: "play", ...this.level, moves: this.moves, keys: this.keys, explore: this.explores, board: !this.width, ...more }, answer => this.hear(answer))
  }

  hear(answer) {
    if (answer.kind === "position") {
      this.position = answer
      // Keys that have made no move stay: they moved a cursor, or picked a piece up.
      if (this.keys.length > MOST_KEYS || answer.moves.length !== this.moves.length) this.keys = []
      this.moves = answer.moves
      this.draw(answer.picture)
      this.mine ??= answer.turn
      if (answer.marks) this.mark(...answer.marks)
    } else if (answer.kind === "around") {
      this.around = answer
    } else if (answer.kind === "proof") {
      this.proof = answer
    } else if (answer.kind === "advice") {
      this.advice = answer
      if (this.running) this.next()
    } else if (answer.kind === "faults") {
      this.message = answer.faults[0].message
      this.running = false
      this.moves = this.position?.moves ?? []
      this.keys = []
    } else if (answer.kind === "done") {
      if (!this.advice) this.running = false
      this.reply()
    }
    this.show()
  }

  // Against a bot: its move, if it is its turn.
  reply() {
    const { position } = this
    if (this.bot && position && !position.over && position.turn !== this.mine) this.ask({ bot: this.bot, keys: [] })
  }

  prove() {
    this.ask({ prove: true })
    this.proof = "…"
    this.show()
  }

  // The keys so far belong to the same move: the server plays them all.
  mark(cursor, legal, seen) {
    this.cursor = cursor
    const rect = (name, inset) => ([y, x]) => element("rect", { class: name, x: x + inset, y: y + inset, width: 1 - 2 * inset, height: 1 - 2 * inset, rx: .1 })
    this.over.replaceChildren(...seen.map(rect("seen", .02)), ...legal.map(([y, x]) => element("path", { class: "legal-cell", d: `M${x + .36} ${y + .5}h.28M${x + .5} ${y + .36}v.28` })), rect("cursor", .04)(cursor))
  }

  // A click on a cell moves the cursor there and enters.
  enter([row, column]) {
    const [down, right] = [row - this.cursor[0], column - this.cursor[1]]
    const keys = [...Array(Math.abs(down)).fill(down < 0 ? "up" : "down"), ...Array(Math.abs(right)).fill(right < 0 ? "left" : "right"), "enter"]
    this.future = []
    this.keys = [...this.keys, ...keys]
    this.cursor = [row, column]
    this.ask()
  }

  draw({ width, height, board, pieces }) {
    const list = board?.length ? null : lines({ pieces })
    this.list?.remove()
    this.list = list
    if (list) this.stage.append(list)
    this.svg.classList.toggle("empty", Boolean(list))
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

  undo() { this.goTo(this.moves.length - (this.kind.sides && this.bot ? 2 : 1)) }

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
    this.keys = []
    this.moves = [...this.moves, ...moves]
    this.ask()
  }

  // The position after moves from the start of the level.
  from(moves) {
    this.moves = []
    this.play(moves)
  }

  // Ask anew, if advice was on its way when another question was asked.
  again() { if (!this.advice && !this.kind.sides && !this.message) this.ask() }

  explore() {
    this.explores = !this.explores
    this.exploreButton.setAttribute("aria-pressed", String(this.explores))
    this.keys = []
    this.ask()
  }

  // The moves from here, the shortest ways first; lost positions are last.
  ways() {
    const { ways, states, metric } = this.around
    const words = left => left == null ? (states ? "lost" : "") : left === 0 ? "solved or next to it" : `${counted(left, metric)} to go`
    return [
      html("p", { class: "soft" }, states ? `A graph of ${number(states)} positions; the moves from this one:` : "The graph is too large to be known whole; the moves from here:"),
      html("div", { class: "ways" }, ways.map(([name, said, left]) => button([html("b", {}, ARROWS[name.toLowerCase()] ?? said), " ", html("span", { class: left == null && states ? "bad" : "soft" }, words(left))], said, () => this.play([name]))))]
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
      ...(this.kind.sides && { p: () => this.prove() }),
      z: () => this.undo(), Backspace: () => this.undo(), y: () => this.redo(), r: () => this.goTo(0), ...(!this.kind.sides && { e: () => this.explore() }), h: () => this.hint(), s: () => this.run(),
    }
    document.addEventListener("keydown", event => {
      if (event.target.closest?.("textarea,input,select,#editor") || event.altKey) return
      if (event.target.closest?.("button,summary") && (event.key === "Enter" || event.key === " ")) return
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
      this.svg.focus({ preventScroll: true })
      this.svg.setPointerCapture(event.pointerId)
      from = cell(event)
    })
    this.svg.addEventListener("pointerup", event => {
      if (!from) return
      this.running = false
      if (this.cursor) {
        this.enter(cell(event))
        from = null
        return
      }
      this.future = []
      this.ask({ pointer: [...from, ...cell(event)].map(at => Math.max(-1, at)) })
      from = null
    })
  }

  // A game of two sides: whose turn it is, or who has won; and what the prover says.
  standing() {
    const { position, proof } = this, name = side => this.kind.sides[side][0].toUpperCase() + this.kind.sides[side].slice(1)
    const said = [html("h2", { class: position.over ? "good" : "" }, position.over ? "The game is over" : `${name(position.turn)} to move`)]
    if (position.over) said.push(html("p", { class: "big" }, position.over))
    else if (this.bot && position.turn !== this.mine) said.push(html("p", { class: "soft" }, `${this.bot} thinks…`))
    if (proof === "…") said.push(html("p", { class: "soft" }, "The prover searches…"))
    else if (proof && proof.winner == null) said.push(html("p", { class: "big" }, "Nobody is known to win by force."))
    else if (proof) {
      said.push(html("p", { class: "big" }, `${name(proof.winner)} wins by force, in ${proof.turns} ${proof.turns === 1 ? "turn" : "turns"} of its own.`))
      if (proof.moves.length) said.push(html("div", { class: "legal" }, proof.moves.map(move => button(move, "Play this move, which wins", () => this.play([move])))))
    }
    return said
  }

  show() {
    const { position, advice } = this
    const lines = []
    if (position) {
      const metric = Object.keys(position.costs)[0]
      if (this.kind.sides) lines.push(...this.standing())
      const spent = metric ? counted(position.costs[metric], metric) : `${this.moves.length} moves`
      if (this.kind.sides) lines.push(html("p", { class: "soft" }, `${spent} so far`))
      else if (position.solved) lines.push(html("h2", { class: "good" }, "Solved"), html("p", { class: "big" }, `in ${spent}`))
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
      if (!this.kind.sides) lines.push(html("p", { class: "soft" }, `${spent} so far`))
      if (this.hinted && advice?.next?.length && !position.solved) {
        const way = advice.next.map(move => ARROWS[move.toLowerCase()] ?? move).join(" ")
        lines.push(html("p", { class: "big" }, "Next: ", html("b", {}, way)))
      }
    }
    if (this.running) lines.push(html("p", { class: "soft" }, "A shortest solution is played; any move stops it."))
    if (this.message) lines.push(html("p", { class: "bad" }, this.message))
    byId("verdict").replaceChildren(...lines)
    byId("facts").replaceChildren(html("p", { class: "soft" }, position?.over || (position?.prompt && position.prompt + (this.kind.points ? "; or drag it" : "")) || "Arrow keys, or click where to go; drag a piece to its new place."),
      ...(this.around ? this.ways() : []),
      html("div", { class: "legal" }, (position?.legal ?? []).map(([name, words]) => button(words, name, () => this.play([name])))))
    this.undoButton.disabled = !this.moves.length
    this.redoButton.disabled = !this.future.length
    this.runButton.textContent = this.running ? "❚❚ Stop" : "▶ Solve"
    if (advice) this.hinted = this.hinted && !this.keys.length
  }
}
