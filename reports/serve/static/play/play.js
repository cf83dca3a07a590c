// Playing a level. The server plays each move by the rules, and says whether the position can still be solved.

import { ask } from "../app/wire.js"
import { byId, html, button, rich } from "../app/html.js"
import { element, group, fit, lines } from "../picture/shapes.js"
import { counted, number, placed, sentence } from "../app/words.js"

const KEYS = {
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", Enter: "enter", " ": "space",
  Escape: "escape", x: "x", X: "x", ".": ".", ...Object.fromEntries([..."0123456789"].map(digit => [digit, digit])),
}
const ARROWS = { l: "←", u: "↑", r: "→", d: "↓" }
const PAD = { up: "↑", left: "←", down: "↓", right: "→", x: "X", ".": "❚❚" }
const PAD_NAMES = { x: ["action", "The action (X)"], ".": ["tick", "Wait for a tick (.)"] }
const MOST_OFFERED = 60  // buttons of moves that keep their places
const MOST_SAID = 4  // groups of equal moves of a hint that are said one by one
const MOST_KEYS = 2000
const SPEEDS = [1, 2, 4, 8]  // steps of a solution in a second
const SPEED = 4

export class Play {
  // `kind` is what the page knows of the puzzle; `idle` is called when all is said about a position.
  constructor(stage, tools, level, kind, idle) {
    Object.assign(this, { stage, level, kind, idle, bot: kind.bots.at(-1) ?? "", mine: null, moves: [], keys: [], future: [], known: null, position: null, running: false, explores: false, around: null, hinted: false, film: null, speed: SPEED, offered: new Map() })
    this.boardPlace = element("g")
    this.piecesPlace = element("g")
    this.over = element("g")
    this.hints = element("g")
    this.dragged = element("g")
    this.svg = element("svg", { tabindex: 0, role: "application", "aria-label": "Board: arrow keys play" }, this.boardPlace, this.piecesPlace, this.over, this.hints, this.dragged)
    this.pad = html("div", { class: "pad", role: "group", "aria-label": "Moves" })
    stage.replaceChildren(this.svg)
    stage.after(this.pad)
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
      this.runButton,
      this.makeFilmBar())
  }

  ask(more = {}) {
    this.advice = this.proof = this.around = this.why = null
    this.hinted = false
    this.message = ""
    this.picked = null
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
      this.over.append(...answer.chosen.map(([y, x]) => element("rect", { class: "picked", x: x + .08, y: y + .08, width: .84, height: .84, rx: .1 })))
      this.showPad(answer.pad)
      if (this.running && this.onFilm()) this.next()
    } else if (answer.kind === "around") {
      this.around = answer
    } else if (answer.kind === "proof") {
      this.proof = answer
    } else if (answer.kind === "advice") {
      this.advice = answer
      if (this.running && !this.onFilm()) this.next()
    } else if (answer.kind === "why") {
      this.why = answer
    } else if (answer.kind === "refused") {
      this.message = answer.words
    } else if (answer.kind === "faults") {
      const [fault] = answer.faults
      this.message = (this.kind.brushes ? "" : placed(fault)) + fault.message
      this.running = false
      this.moves = this.position?.moves ?? []
      this.keys = []
    } else if (answer.kind === "done") {
      if (!this.advice && !this.onFilm()) this.running = false
      if (!this.message) this.advice ??= { solvable: null }
      this.reply()
      if (!this.running) this.idle()
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
    this.over.replaceChildren(...seen.map(rect(this.kind.taps ? "picked" : "seen", .02)), ...legal.map(([y, x]) => element("path", { class: "legal-cell", d: `M${x + .36} ${y + .5}h.28M${x + .5} ${y + .36}v.28` })), rect("cursor", .04)(cursor))
  }

  // A tap picks up a piece; the next one says where it goes.
  pick([y, x]) {
    this.picked = [y, x]
    this.over.append(element("rect", { class: "picked", x: x + .02, y: y + .02, width: .96, height: .96, rx: .1 }))
    this.message = "Now tap its place; the same place again lets go."
    this.show()
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
      if (this.kind.letters) this.svg.dataset.cells = "0 0"  // they are in the picture
      if (this.kind.tiling) this.svg.dataset.cells = `${height} ${height}`
      Object.assign(this, { width, height })
      this.resize()
    }
    this.piecesPlace.replaceWith(this.piecesPlace = group(pieces))
    this.over.replaceChildren()
  }

  resize() { if (this.width) fit(this.svg, this.width, this.height, this.kind.tiling ? 1.5 : 1) }

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
    const words = left => left == null ? (states ? "lost" : "") : left === 0 ? "reaches the goal" : `${counted(left, metric)} to go`
    return [
      html("p", { class: "soft" }, `${states ? `A graph of ${number(states)} positions` : "The graph is too large to be known whole"}; ${ways.length ? `the ${ways.length} moves from this one:` : "no moves lead on from this one."}`),
      html("div", { class: "ways" }, ways.map(([name, said, left]) => button([html("b", {}, ARROWS[name.toLowerCase()] ?? said), " ", html("span", { class: left == null && states ? "bad" : "soft" }, words(left))], said, () => this.play([name]))))]
  }

  hint() {
    this.hinted = true
    this.show()
  }

  run() {
    if (!this.running && this.advice?.solvable === false && !this.onFilm()) return this.hint()
    this.running = !this.running
    if (this.running && (this.advice || this.onFilm())) this.next()
    this.show()
  }

  // Play a whole solution from the start of the level.
  watch(moves) {
    this.film = moves
    this.running = true
    this.from([])
  }

  // Are the moves so far those of the solution that is watched? Any other move ends it.
  onFilm() { return Boolean(this.film) && this.moves.length <= this.film.length && this.moves.every((move, at) => move === this.film[at]) }

  following() { return this.onFilm() ? this.film[this.moves.length] : this.advice?.next?.[0] }

  // The position after a number of moves of the solution that is watched.
  seek(number) {
    this.running = false
    this.from(this.film.slice(0, Math.max(0, number)))
  }

  makeFilmBar() {
    const step = (text, title, to) => button(text, title, () => this.seek(to()), { "aria-label": title })
    this.back = [step("«", "To the start", () => 0), step("‹", "A step back", () => this.moves.length - 1)]
    this.forth = [step("›", "A step forward", () => this.moves.length + 1), step("»", "To the end", () => this.film.length)]
    this.goOn = button("", "", () => this.moves.length === this.film.length ? this.watch(this.film) : this.run())
    this.stepsSaid = html("span", { class: "soft" })
    const speeds = SPEEDS.map(each => html("option", { value: each, selected: each === this.speed }, `${each} a second`))
    const speed = html("select", { "aria-label": "Speed", title: "Steps of the solution in a second", onchange: event => { this.speed = Number(event.target.value) } }, speeds)
    return this.filmBar = html("div", { class: "film", role: "group", "aria-label": "The solution, step by step", hidden: true },
      this.back, this.goOn, this.forth, speed, this.stepsSaid)
  }

  showFilm() {
    this.filmBar.hidden = !this.onFilm()
    if (this.filmBar.hidden) return
    const { film, moves: { length } } = this
    for (const each of this.back) each.disabled = !length
    for (const each of this.forth) each.disabled = length === film.length
    this.goOn.textContent = this.running ? "❚❚" : "▶"
    this.goOn.title = this.running ? "Pause" : "Go on"
    this.goOn.setAttribute("aria-label", this.goOn.title)
    this.stepsSaid.textContent = `Step ${length} of ${film.length}`
  }

  // The keys of the puzzle as buttons; each has its place, and one that does nothing now stays there.
  showPad(legal) {
    const keys = Object.keys(legal)
    if (this.pad.children.length !== keys.length) {
      this.pad.replaceChildren(...keys.map(key => {
        const [name, title] = PAD_NAMES[key] ?? [key, `Arrow key ${key}`]
        return button(PAD[key], title, () => this.key(key), { class: `pad-${name}`, "aria-label": name })
      }))
      this.resize()
    }
    keys.forEach((key, at) => { this.pad.children[at].disabled = !legal[key] })
  }

  // The moves of the position as buttons. Those that were legal before keep their places.
  showLegal() {
    const legal = new Map(this.position?.legal ?? [])
    const offered = new Map([...this.offered, ...legal])
    this.offered = offered.size > MOST_OFFERED ? legal : offered
    return html("div", { class: "legal" }, [...this.offered].map(([name, words]) => button(words, name, () => this.play([name]), { disabled: !legal.has(name) })))
  }

  // One move further on a shortest solution; the whole way is a move at a time.
  next() {
    const move = this.following()
    if (!move || this.position?.solved) {
      this.running = false
      return
    }
    clearTimeout(this.timer)
    this.timer = setTimeout(() => { if (this.running) this.play([move]) }, 1000 / this.speed)
  }

  close() {
    this.running = false
    clearTimeout(this.timer)
    this.gone.abort()
    this.pad.remove()
  }

  listen() {
    this.gone = new AbortController()
    const { signal } = this.gone
    const act = {
      ...(this.kind.sides && { p: () => this.prove() }),
      ...(this.kind.taps && { t: () => this.key("tab"), T: () => this.key("shift+tab") }),
      z: () => this.undo(), Backspace: () => this.undo(), y: () => this.redo(), r: () => this.goTo(0), ...(!this.kind.sides && { e: () => this.explore() }), h: () => this.hint(), s: () => this.run(),
    }
    document.addEventListener("keydown", event => {
      if (event.target.closest?.("textarea,input,select,#editor") || event.altKey) return
      if (event.target.closest?.("button,summary") && (event.key === "Enter" || event.key === " ")) return
      if (event.ctrlKey || event.metaKey) return
      if (act[event.key]) act[event.key]()
      else if (KEYS[event.key]) this.key(KEYS[event.key])
      else return
      event.preventDefault()
    }, { signal })
    let from = null, pressed = null
    const place = event => {
      const box = this.svg.getBoundingClientRect()
      return [(event.clientY - box.top) / box.height * this.height, (event.clientX - box.left) / box.width * this.width]
    }
    const cell = event => place(event).map(Math.floor)
    // Where a drag ends. One of half a cell or more is a swipe to the next cell, even if it ends in the first one.
    const end = event => {
      const to = cell(event), [down, right] = place(event).map((at, axis) => at - pressed[axis])
      const axis = Math.abs(down) > Math.abs(right) ? 0 : 1, by = axis ? right : down
      if (String(to) === String(from) && Math.abs(by) >= .5) to[axis] += Math.sign(by)
      return to
    }
    // What is dragged, and where to.
    const show = to => {
      const rect = (name, [y, x]) => element("rect", { class: name, x: x + .06, y: y + .06, width: .88, height: .88, rx: .12 })
      this.dragged.replaceChildren(...(to && String(to) !== String(from) ? [rect("hint", from), rect("hint-to", to)] : []))
    }
    this.svg.addEventListener("pointercancel", () => {
      from = null
      show(null)
    })
    this.svg.addEventListener("pointermove", event => { if (from && (!this.cursor || this.kind.taps)) show(cell(event)) })
    this.svg.addEventListener("pointerdown", event => {
      event.preventDefault()
      this.svg.focus({ preventScroll: true })
      this.svg.setPointerCapture(event.pointerId)
      from = cell(event)
      pressed = place(event)
    })
    this.svg.addEventListener("pointerup", event => {
      if (!from) return
      show(null)
      this.running = false
      if (this.cursor && !this.kind.taps) {
        this.enter(cell(event))
        from = null
        return
      }
      const to = this.kind.taps ? cell(event) : end(event)
      if (this.kind.taps && !this.picked && String(to) === String(from)) {
        this.pick(from)
        from = null
        return
      }
      from = this.picked ?? from
      this.future = []
      this.ask({ pointer: [...from, ...to].map(at => Math.max(-1, at)) })
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
    else if (proof?.draw) said.push(html("p", { class: "big" }, "A draw, if both sides play well: neither can force a win."))
    else if (proof && proof.winner == null) said.push(html("p", { class: "big" }, "Nobody is known to win by force."))
    else if (proof) {
      said.push(html("p", { class: "big" }, `${name(proof.winner)} wins by force, in ${proof.turns} ${proof.turns === 1 ? "turn" : "turns"} of its own.`))
      if (proof.moves.length) said.push(html("div", { class: "legal" }, proof.moves.map(([move, words]) => button(words, "Play this move, which wins", () => this.play([move])))))
    }
    return said
  }

  show() {
    const { position, advice } = this
    const lines = []
    if (position) {
      const metric = Object.keys(position.costs)[0]
      if (this.kind.sides) lines.push(...this.standing())
      const spent = metric ? Object.entries(position.costs).map(([each, cost]) => counted(cost, each)).join(", ") : `${this.moves.length} moves`
      if (this.kind.sides) lines.push(html("p", { class: "soft" }, `${spent} so far`))
      else if (position.solved) lines.push(html("h2", { class: "good" }, "Solved"), html("p", { class: "big" }, this.moves.length ? `in ${spent}` : "It is solved at its start."))
      else if (!advice) lines.push(html("h2", { class: "soft" }, "…"), html("p", { class: "big" }, "\u00a0"))  // what is below keeps its place
      else if (advice.solvable === false) {
        lines.push(html("h2", { class: "bad" }, "Lost"))
        lines.push(...this.lost(advice))
      } else if (advice.solvable) {
        lines.push(html("h2", { class: "good" }, "Still solvable"))
        const left = counted(advice.left, metric)
        lines.push(html("p", { class: "big" }, advice.sure ? `at most ${left} to go, whatever is drawn` : `${left} to go${advice.sure === false ? ", with luck" : ""}`))
        if (advice.sure === false) lines.push(html("p", {}, "No strategy is sure to win from here."))
      } else lines.push(html("h2", { class: "warn" }, "Not known"), html("p", {}, "The limit of time was reached."))
      if (!this.kind.sides && !position.solved) lines.push(html("p", { class: "soft" }, `${spent} so far`))
      if (this.hinted && !position.solved) lines.push(html("p", { class: "big" }, hintWords(advice)))
    }
    this.showMarks()
    if (this.running) lines.push(html("p", { class: "soft" }, this.onFilm() ? "The solution is played; any move stops it." : advice?.sure ? "A strategy is played, which wins whatever is drawn; any move stops it." : "A shortest solution is played; any move stops it."))
    if (this.message) lines.push(html("p", { class: "bad" }, rich(this.message)))
    byId("verdict").replaceChildren(...lines)
    byId("facts").replaceChildren(html("p", { class: "soft" }, this.help()),
      ...(this.around ? this.ways() : []),
      position?.solved ? "" : this.showLegal())
    if (!this.kind.sides) this.showFilm()
    this.undoButton.disabled = !this.moves.length
    this.redoButton.disabled = !this.future.length
    this.runButton.textContent = this.running ? "❚❚ Stop" : "▶ Solve"
  }

  // What the player may do; nothing more once the level is solved.
  help() {
    const { position, kind } = this
    if (!position || position.over || position.solved) return ""
    const ways = [position.prompt || (Object.keys(position.pad).length ? "Arrow keys" : ""), kind.points].filter(Boolean).join("; or ")
    return ways ? `${ways[0].toUpperCase()}${ways.slice(1)}.` : "Choose a move."
  }

  // Since when a position is lost, and the way back.
  lost({ since, exact }) {
    if (exact && since === 0) return [html("p", { class: "big" }, "The level has no solution from the start.")]
    const back = since - 1, where = back ? `Go back to move ${back}` : "Go back to the start"
    return [
      html("p", { class: "big" }, `Lost since move ${since}${exact ? "" : ", or before"}.`),
      html("p", {}, button(where, `Take back all moves from move ${since} on`, () => this.goTo(back))),
      this.why ? html("p", {}, rich(sentence(this.why.words))) : ""]  // it comes later, and moves no button
  }

  // On the board: the cells of a hint (the way, what moves, and where it is after that), and what a lost position is lost for.
  showMarks() {
    const { advice, why } = this, shown = this.hinted && !this.position?.solved && advice?.say
    const rect = name => ([y, x]) => element("rect", { class: name, x: x + .06, y: y + .06, width: .88, height: .88, rx: .12 })
    this.hints.replaceChildren(...(why ? why.cells.map(rect("ring")) : []), ...(shown ? [
      ...advice.way.map(([y, x]) => element("circle", { class: "hint-way", cx: x + .5, cy: y + .5, r: .1 })),
      ...advice.to.map(rect("hint-to")), ...advice.from.map(rect("hint"))] : []))
  }
}

// A hint in words.
function hintWords(advice) {
  if (!advice) return "The hint is searched…"
  if (advice.solvable === false) return "No hint: from here, no moves lead to the goal."
  if (!advice.say?.length) return "No hint is known."
  const runs = []
  for (const each of advice.say) {
    if (runs.at(-1)?.[0] === each) runs.at(-1)[1] += 1
    else runs.push([each, 1])
  }
  const words = runs.map(([each, times]) => times === 1 ? each : `${each} ${times} times`)
  const [last] = words.slice(-1), first = words.slice(0, -1)
  const way = first.length >= MOST_SAID ? "follow the dots" : first.join(", ")
  const luck = advice.sure ? ", whatever comes." : advice.sure === false ? ", with luck." : "."
  return ["Hint: ", html("b", {}, way ? `${way}, then ${last}` : last), luck]
}

