// Playing a level. The server plays each move by the rules, and says whether the position can still be solved.

import { ask } from "../app/wire.js"
import { byId, html, button, rich } from "../app/html.js"
import { element, group, fit, lines } from "../picture/shapes.js"
import { placed, sentence } from "../app/words.js"
import { Graph, ways } from "./explore.js"
import { Full } from "./full.js"
import { listenToKeys, listenToPointer } from "./input.js"
import { Pad } from "./pad.js"
import { help, standing } from "./panel.js"
import { Record } from "./records.js"
import { solution } from "./solution.js"
import { Strip } from "./strip.js"
import { Timeline } from "./timeline.js"

const MOST_KEYS = 2000

// `line` has all moves, of which the first `at` are played; the others were taken back, or are those of a solution that is watched.
// `running`: the moves of the line are played by themselves ("line"), or those of a shortest solution from here ("solve").
// `foreign` is the first move of the line that the player has not made: a solution with such a move is no record.
export class Play {
  // `kind` is what the page knows of the puzzle; `idle` is called when all is said about a position, `next` gives the next level as a function that opens it,
  // `known` the verdict on the level, if there is one, and `record` is called after a record.
  constructor(stage, tools, level, kind, { idle, next, known, record }) {
    Object.assign(this, { stage, level, kind, idle, nextLevel: next, foreign: Infinity, bot: kind.bots.at(-1) ?? "", mine: null, line: [], at: 0, keys: [], position: null, running: "", explores: false, around: null, hinted: false })
    this.boardPlace = element("g")
    this.piecesPlace = element("g")
    this.over = element("g")
    this.hints = element("g")
    this.dragged = element("g")
    this.svg = element("svg", { tabindex: 0, role: "application", "aria-label": "Board: arrow keys play" }, this.boardPlace, this.piecesPlace, this.over, this.hints, this.dragged)
    this.record = new Record(kind.metrics, () => this.least ?? least(known(), kind), record)
    this.timeline = new Timeline(this)
    this.pad = new Pad(this)
    this.graph = new Graph(this)
    this.choices = new Strip(this)
    this.parts = [this.choices, this.graph, this.timeline, this.pad]  // below the board: each has a `place`, a `show` for each change, and a `close` if it needs one
    this.below = html("div", { class: "below" }, this.parts.map(each => each.place))
    stage.replaceChildren(this.svg)
    stage.after(this.below)
    document.body.classList.add("playing")
    this.listen()
    this.full = new Full(this)
    this.tools(tools)
    this.ask()
    this.svg.focus({ preventScroll: true })
  }

  tools(place) {
    const text = button("Solution…", "The moves as text: copy them, or paste others (C)", () => solution(this))
    this.runButton = button("▶ Solve", "Play a shortest solution from here (S)", () => this.run())
    if (this.kind.sides) {
      const bots = html("select", { "aria-label": "Opponent", title: "Who plays the other side", onchange: event => { this.bot = event.target.value; this.goOn() } },
        [...this.kind.bots].reverse().map(name => html("option", { value: name }, `against ${name}`)), html("option", { value: "" }, "two people"))
      place.replaceChildren(bots,
        button("Change sides", "The bot plays your side", () => { this.mine = 1 - this.position.turn; this.goOn() }),
        button("Who wins?", "Ask the prover about this position (P)", () => this.prove()), text, this.full.button)
      return
    }
    this.exploreButton = button("Explore", "Walk in the graph of all positions: each move with the distance to the goal behind it (E)", () => this.explore(), { "aria-pressed": "false" })
    place.replaceChildren(this.exploreButton, button("Hint", "The next moves of a shortest solution (H)", () => this.hint()), this.runButton, text, this.full.button)
  }

  listen() {
    this.gone = new AbortController()
    const { sides, taps } = this.kind
    listenToKeys(this, {
      ...(sides ? { p: () => this.prove() } : { e: () => this.explore(), h: () => this.hint(), s: () => this.run(), n: () => this.goOnward() }),
      ...(taps && { t: () => this.key("tab"), T: () => this.key("shift+tab") }),
      z: () => this.undo(), Backspace: () => this.undo(), y: () => this.redo(), r: () => this.seek(0), c: () => solution(this),
      f: () => this.full.toggle(), Escape: () => this.full.escape(),
    }, this.gone.signal)
    listenToPointer(this)
  }

  close() {
    this.running = ""
    clearTimeout(this.timer)
    this.gone.abort()
    document.body.classList.remove("playing")
    this.full.close()
    for (const each of this.parts) each.close?.()
    this.below.remove()
  }

  get moves() { return this.line.slice(0, this.at) }

  ask(more = {}) {
    this.advice = this.proof = this.around = this.why = null
    this.hinted = false
    this.message = this.note = ""
    this.picked = null
    this.record.before = null
    const jumps = "node" in more, own = !jumps && this.foreign >= this.at, hand = this.keys.length > 0 || "pointer" in more
    ask({ ask: "play", ...this.level, moves: this.moves, keys: this.keys, explore: this.explores, board: !this.width, ...this.graph.wants(), ...this.choices.wants(), record: !this.record.level, own, ...more }, answer => {
      if (answer.kind === "position") this.hearPosition(answer, own, hand)
      else this.hear(answer)
      if (jumps) this.foreign = 0
      this.show()
    })
  }

  hear(answer) {
    if (answer.kind === "advice") {
      this.advice = answer
      if (!this.at && answer.solvable && answer.sure == null) this.least = { cost: answer.left, optimal: answer.optimal }
      if (this.running === "solve") this.next()
    } else if (answer.kind === "faults") {
      const [fault] = answer.faults
      this.message = (this.kind.brushes ? "" : placed(fault)) + fault.message
      this.running = ""
      this.line = this.position?.moves ?? []
      this.at = this.line.length
      this.keys = []
    } else if (answer.kind === "refused") this.message = answer.words
    else if (answer.kind === "done") {
      if (!this.advice && this.running === "solve") this.running = ""
      if (!this.message) this.advice ??= { solvable: null, reason: answer.stopped ? "The search was stopped." : answer.failed }
      this.reply()
      if (!this.running) this.idle()
    } else if (["around", "proof", "why"].includes(answer.kind)) this[answer.kind] = answer
    else if (["graph", "record", "choices"].includes(answer.kind)) this[answer.kind].hear(answer)
  }

  // `own`: the moves before were the player's own; `hand`: keys or a pointer may have added some.
  hearPosition(answer, own, hand) {
    const { moves } = answer, same = moves.findIndex((move, at) => move !== this.line[at])
    if (same >= 0 && same <= this.foreign) this.foreign = Infinity
    if (hand && own) this.foreign = Math.max(this.foreign, moves.length)
    // Keys that have made no move stay: they moved a cursor, or picked a piece up.
    if (this.keys.length > MOST_KEYS || moves.length !== this.at) this.keys = []
    if (same >= 0) this.line = moves
    this.at = moves.length
    this.position = answer
    this.draw(answer.picture)
    this.mine ??= answer.turn
    if (answer.marks) this.mark(...answer.marks)
    this.over.append(...answer.chosen.map(([y, x]) => element("rect", { class: "picked", x: x + .08, y: y + .08, width: .84, height: .84, rx: .1 })))
    if (answer.solved && own && moves.length) {
      this.solved = moves
      this.record.add(answer.costs, moves)
    }
    if (this.running === "line") this.next()
  }

  isBotsTurn() { return Boolean(this.bot) && this.at === this.line.length && this.position && !this.position.over && this.position.turn !== this.mine }

  // Against a bot: its move, if it is its turn.
  reply() { if (this.kind.sides && this.isBotsTurn()) this.ask({ bot: this.bot, keys: [] }) }

  // The game goes on from here: what was taken back is forgotten.
  goOn() {
    this.line = this.moves
    this.reply()
  }

  prove() {
    this.ask({ prove: true })
    this.proof = "…"
    this.show()
  }

  // Moves, by keys, a pointer, or names

  key(name) {
    this.running = ""
    this.keys = [...this.keys, name]
    this.ask()
  }

  point(from, to) {
    this.running = ""
    this.ask({ pointer: [...from, ...to].map(at => Math.max(-1, at)) })
  }

  // A tap picks up a piece; the next one says where it goes.
  pick([y, x]) {
    this.running = ""
    this.picked = [y, x]
    this.over.append(element("rect", { class: "picked", x: x + .02, y: y + .02, width: .96, height: .96, rx: .1 }))
    this.message = "Now tap its place; the same place again lets go."
    this.show()
  }

  // A click on a cell moves the cursor there and enters.
  enter([row, column]) {
    const [down, right] = [row - this.cursor[0], column - this.cursor[1]]
    const keys = [...Array(Math.abs(down)).fill(down < 0 ? "up" : "down"), ...Array(Math.abs(right)).fill(right < 0 ? "left" : "right"), "enter"]
    this.running = ""
    this.keys = [...this.keys, ...keys]
    this.cursor = [row, column]
    this.ask()
  }

  play(moves) {
    this.running = ""
    if (this.foreign >= this.at) this.foreign = Math.max(this.foreign, this.at + moves.length)
    this.advance(moves)
  }

  advance(moves) {
    this.keys = []
    if (moves.some((move, place) => move !== this.line[this.at + place])) {
      this.line = [...this.moves, ...moves]
      if (this.foreign >= this.line.length) this.foreign = Infinity
    }
    this.at += moves.length
    this.ask()
  }

  // The position after moves from the start of the level.
  from(moves, own = false) {
    this.foreign = own ? Infinity : 0
    this.keys = []
    this.line = moves
    this.at = moves.length
    this.ask()
  }

  // The position at a node of the graph.
  toNode(node) {
    this.running = ""
    this.keys = []
    this.ask({ node })
  }

  undo() { this.seek(Math.max(0, this.at - this.round())) }

  redo() { this.seek(Math.min(this.line.length, this.at + this.round())) }

  // The number of moves to the next position in which it is the player's turn.
  round() { return this.kind.sides && this.bot && this.position?.turn === this.mine ? 2 : 1 }

  // Go to a move of the line.
  seek = number => {
    this.pause()
    if (number === this.at) return
    this.at = number
    this.keys = []
    this.ask()
  }

  // Moves that are played by themselves

  // Play the line on from here, or again from its start.
  replay() {
    if (this.running) return this.pause()
    if (this.at === this.line.length) return this.fromStart()
    this.running = "line"
    this.next()
    this.show()
  }

  // Play a whole solution from the start of the level.
  watch(moves, own = false) {
    this.foreign = own ? Infinity : 0
    this.line = moves
    this.fromStart()
  }

  fromStart() {
    this.at = 0
    this.keys = []
    this.running = "line"
    this.ask()
  }

  // Moves that were pasted: up to the wrong one, if there is one.
  judged({ moves, fault }, own) {
    this.from(moves, own)
    if (fault) this.note = `The moves before the wrong one: ${fault.message}`
    this.show()
  }

  run() {
    if (this.running) return this.pause()
    if (this.advice?.solvable === false) return this.hint()
    this.running = "solve"
    if (this.advice) this.next()
    this.show()
  }

  pause() {
    this.running = ""
    clearTimeout(this.timer)
    this.show()
  }

  // One move further; the whole way is a move at a time.
  next() {
    const move = this.running === "line" ? this.line[this.at] : this.position?.solved ? null : this.advice?.next?.[0]
    if (!move) {
      this.running = ""
      return
    }
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      if (this.running === "solve") this.foreign = Math.min(this.foreign, this.at)
      if (this.running) this.advance([move])
    }, 1000 / this.timeline.speed)
  }

  // The next level, once this one is solved.
  goOnward() { if (this.position?.solved) this.nextLevel()?.() }

  // Ask anew what another question has interrupted.
  again() {
    if (this.kind.sides) this.reply()
    else if (!this.advice || this.advice.reason) this.ask()
  }

  // A text that was pasted beside all fields.
  paste(text) { solution(this, text) }

  explore() {
    this.explores = !this.explores
    this.exploreButton.setAttribute("aria-pressed", String(this.explores))
    this.keys = []
    this.ask()
  }

  hint() {
    this.hinted = true
    this.show()
  }

  // The board

  draw({ width, height, board, pieces }) {
    const list = board?.length ? null : lines({ pieces })
    this.list?.remove()
    this.list = list
    if (list) this.stage.append(list)
    this.svg.classList.toggle("empty", Boolean(list))
    if (board) {
      this.boardPlace.replaceWith(this.boardPlace = group(board))
      this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
      if (this.kind.letters) this.svg.dataset.cells = "0 0"  // they are in the picture
      if (this.kind.tiling) this.svg.dataset.cells = `${height} ${height}`
      Object.assign(this, { width, height })
      this.resize()
    }
    this.piecesPlace.replaceWith(this.piecesPlace = group(pieces))
    this.over.replaceChildren()
  }

  resize() { if (this.width) fit(this.svg, this.width, this.height, this.kind.tiling ? 1.5 : 1) }

  // The keys so far belong to the same move: the server plays them all.
  mark(cursor, legal, seen) {
    this.cursor = cursor
    const rect = (name, inset) => ([y, x]) => element("rect", { class: name, x: x + inset, y: y + inset, width: 1 - 2 * inset, height: 1 - 2 * inset, rx: .1 })
    this.over.replaceChildren(...seen.map(rect(this.kind.taps ? "picked" : "seen", .02)), ...legal.map(([y, x]) => element("path", { class: "legal-cell", d: `M${x + .36} ${y + .5}h.28M${x + .5} ${y + .36}v.28` })), rect("cursor", .04)(cursor))
  }

  // The cells of a hint (the way, what moves, and where it is after that), and what a lost position is lost for.
  showMarks() {
    const { advice, why } = this, shown = this.hinted && !this.position?.solved && advice?.say
    const rect = name => ([y, x]) => element("rect", { class: name, x: x + .06, y: y + .06, width: .88, height: .88, rx: .12 })
    this.hints.replaceChildren(...(why ? why.cells.map(rect("ring")) : []), ...(shown ? [
      ...advice.way.map(([y, x]) => element("circle", { class: "hint-way", cx: x + .5, cy: y + .5, r: .1 })),
      ...advice.to.map(rect("hint-to")), ...advice.from.map(rect("hint"))] : []))
  }

  show() {
    const { position, advice, running } = this
    const said = position ? standing(this) : []
    if (running) said.push(html("p", { class: "soft" }, running === "line" ? "The moves are played; any move stops that." : advice?.sure ? "A strategy is played, which wins whatever is drawn; any move stops it." : "A shortest solution is played; any move stops it."))
    if (this.note) said.push(html("p", { class: "warn" }, rich(sentence(this.note))))
    if (this.message) said.push(html("p", { class: "bad" }, rich(this.message)))
    byId("verdict").replaceChildren(...said)
    byId("actions").replaceChildren()
    byId("facts").replaceChildren(html("p", { class: "soft" }, help(this)),
      ...(this.around ? ways(this.around, this) : []),
      position?.solved ? "" : this.pad.moves())
    this.showMarks()
    for (const each of this.parts) each.show()
    this.runButton.textContent = running === "solve" ? "❚❚ Stop" : "▶ Solve"
  }
}

// The least cost of a solution, by a verdict.
function least(verdict, { metrics }) {
  return verdict?.verdict === "solvable" && verdict.metric === metrics[0] && verdict.cost != null && !verdict.arranges ? { cost: verdict.cost, optimal: verdict.optimal } : null
}
