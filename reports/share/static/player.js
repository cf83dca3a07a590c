// The page of one level: its board, what is known of the position, own moves, hints and the solution.

import { element, group, cellBelow, lines } from "../../serve/static/picture/shapes.js"
import { html, button, byId } from "../../serve/static/app/html.js"
import { counted } from "../../serve/static/app/words.js"
import { Game, direction, isCalled, pointed, towards } from "./game.js"

const ARROWS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", x: "x", X: "x", ".": "." }
const SIGNS = { up: "↑", left: "←", down: "↓", right: "→", x: "X", ".": "❚❚" }
const NAMES = { x: "action", ".": "tick" }
const MOST_BUTTONS = 60  // for moves
const LARGEST = 80  // pixels of a cell
const SPEED = 3  // steps of the solution in a second
const SWIPE = 20  // pixels, at least

// `made` has the functions that read rules and what is known.
export async function start(data, made) {
  let rules = null, known = null
  // An error in the rules of a level, such as a division by zero in an own puzzle, is said.
  addEventListener("error", ({ error }) => { if (error) byId("said").textContent = `The rules of this level fail here: ${error.message}` })
  try {
    if (data.rules) rules = data.rules.kind === "table" ? await made.table(data.rules) : made.script(data.rules.level, data.rules.looks)
    if (data.known && rules) known = await made.known(data.known)
  } catch (error) {
    byId("said").textContent = `This browser cannot read all of the page: ${error.message}`
  }
  return new Player(data, rules && remembering(rules), known)
}

// Rules that find the moves of a position once: each is asked for them many times.
function remembering(rules) {
  const found = new WeakMap()
  return { ...rules, moves(position) {
    if (typeof position !== "object") return rules.moves(position)
    if (!found.has(position)) found.set(position, rules.moves(position))
    return found.get(position)
  } }
}

class Player {
  constructor(data, rules, known) {
    Object.assign(this, { data, rules, film: null, hinted: null, hand: null, picked: null, pressed: null })
    this.game = rules && new Game(rules, known, data.best, data.metric)
    this.board = group(data.look.board)
    this.pieces = element("g")
    this.marks = element("g", { class: "marks" })
    this.svg = element("svg", { viewBox: `0 0 ${data.look.width} ${data.look.height}`, tabindex: 0, role: rules ? "application" : "img", "aria-label": rules ? "Board: arrow keys play" : "Board" }, this.board, this.pieces, this.marks)
    byId("board").append(this.svg)
    this.makeButtons()
    if (rules) this.listen()
    addEventListener("resize", () => this.fit())
    this.show()
    this.fit()
  }

  fit() {
    const { width, height } = this.data.look
    const place = byId("board"), most = matchMedia("(min-width:56rem)").matches ? innerHeight - place.offsetTop - 48 : 0.6 * innerHeight
    const cell = Math.max(4, Math.min(LARGEST, place.clientWidth / width, Math.max(240, most) / height))
    this.svg.setAttribute("width", cell * width)
    this.svg.setAttribute("height", cell * height)
  }

  makeButtons() {
    const { data, rules } = this
    const watch = data.film?.steps.length > 1 || (rules && data.best.length) ? [this.watchButton = button("▶ Solution", "Watch the solution (S)", () => this.watch())] : []
    this.undoButton = button("↶ Undo", "Take back a move (Z or Backspace)", () => this.undo())
    this.redoButton = button("↷", "Play it again (Y)", () => this.redo(), { "aria-label": "Redo" })
    byId("tools").replaceChildren(...(rules ? [
      this.undoButton, this.redoButton,
      button("Restart", "Take back all moves (R)", () => this.goTo(0)),
      button("Hint", "The next moves of a shortest way (H)", () => this.hint())] : []), ...watch)
    const names = data.rules?.moves?.map(([name]) => name) ?? data.rules?.level.actions?.map(([name]) => name) ?? []
    this.keys = rules?.keys ?? Object.keys(SIGNS).filter(key => names.some(name => isCalled(name, key)))
    this.padButtons = new Map(this.keys.map(key => [key, button(SIGNS[key], `Key ${key}`, () => this.key(key), { class: `pad-${NAMES[key] ?? key}`, "aria-label": NAMES[key] ?? key })]))
    byId("pad").replaceChildren(...this.padButtons.values())
    byId("help").textContent = rules?.help ?? ""
  }

  // Playing.

  act(change) {
    this.film = null
    this.hinted = null
    this.picked = null
    clearInterval(this.timer)
    change()
    this.show()
  }

  // What comes after a solved position is not known, nor played.
  play(names) { if (names.length && !this.game.solved) this.act(() => this.game.play(names)) }

  undo() { this.act(() => this.game.undo()) }

  redo() { this.act(() => this.game.redo()) }

  goTo(count) { this.act(() => this.game.goTo(count)) }

  key(key) {
    const { rules, game: { position } } = this
    this.play(rules.press ? rules.press(position, key, this.hand) : towards(rules, position, key).slice(0, 1))
  }

  hint() {
    if (this.film) this.act(() => {})
    this.hinted = this.game.hint() ?? []
    this.show()
  }

  // The solution, step by step; own moves wait.

  get frames() { return this.data.film?.steps.length ?? this.data.best.length + 1 }

  frame(at) {
    if (this.data.film) return [[this.data.film.steps[at].map(number => this.data.film.shapes[number]), 0, 0]]
    const game = this.filmed ??= new Game(this.rules, null, this.data.best, this.data.metric)
    if (!game.moves.length) game.play(this.data.best)
    return this.rules.picture(game.positions[at])
  }

  watch() {
    if (this.film && this.timer) return this.pause()
    if (!this.film || this.film.at === this.frames - 1) this.film = { at: 0 }
    this.hinted = null
    this.timer = setInterval(() => this.seek(this.film.at + 1, true), 1000 / SPEED)
    this.show()
  }

  pause() {
    clearInterval(this.timer)
    this.timer = null
    this.show()
  }

  seek(at, goesOn = false) {
    this.film.at = Math.max(0, Math.min(this.frames - 1, at))
    if (!goesOn || this.film.at === this.frames - 1) this.pause()
    this.show()
  }

  // What is seen.

  show() {
    const { game, rules } = this
    const picture = this.film || !rules ? this.frame(this.film?.at ?? 0) : rules.picture(game.position)
    const list = this.data.look.board.length ? null : lines({ board: [], pieces: picture.flatMap(([shapes]) => shapes) })
    this.list?.remove()
    this.list = list
    if (list) byId("board").append(list)
    this.svg.toggleAttribute("hidden", Boolean(list))
    this.pieces.replaceChildren(...picture.map(([shapes, row, column]) => group(shapes, row || column ? { transform: `translate(${column} ${row})` } : {})))
    this.showMarks()
    this.showFilm()
    byId("state").replaceChildren(...(this.film ? [html("p", { class: "soft" }, "The solution is played.")] : game ? this.state() : []))
    if (!game) return
    this.undoButton.disabled = !game.moves.length
    this.redoButton.disabled = !game.future.length
    const done = game.solved
    for (const [key, each] of this.padButtons) each.disabled = !this.film && (done || !(rules.press ? rules.press(game.position, key, this.hand) : towards(rules, game.position, key)).length)
    const moves = this.film || done || rules.keys?.length ? [] : rules.moves(game.position).filter(({ name }) => !this.keys.some(key => isCalled(name, key)))
    byId("moves").replaceChildren(...moves.slice(0, MOST_BUTTONS).map(({ name }) => button(rules.say?.(name) ?? name, "Play this move", () => this.play([name]))))
  }

  showMarks() {
    const { game, rules } = this
    const rect = name => ([row, column]) => element("rect", { class: name, x: column + .06, y: row + .06, width: .88, height: .88, rx: .12 })
    this.marks.replaceChildren()
    if (this.film || !game) return
    if (rules.chosen) {
      this.hand = rules.hand(game.position, this.hand)
      this.marks.append(...rules.chosen(game.position, this.hand).map(rect("chosen")))
    }
    if (this.picked) this.marks.append(rect("picked")(this.picked))
    if (!this.hinted?.length) return
    // Of the last move of a hint: what it moves, and where to; of those before, the way.
    let position = game.position, seen = rules.picture(position)
    const key = ([shapes, row, column]) => `${row},${column},${JSON.stringify(shapes)}`
    this.hinted.forEach((name, at) => {
      position = game.step(position, name).position
      const then = rules.picture(position), [before, after] = [new Set(seen.map(key)), new Set(then.map(key))]
      const left = seen.filter(each => !after.has(key(each))), come = then.filter(each => !before.has(key(each)))
      if (at === this.hinted.length - 1) this.marks.append(...left.map(([, ...cell]) => rect("hint")(cell)), ...come.map(([, ...cell]) => rect("hint-to")(cell)))
      else this.marks.append(...come.map(([, row, column]) => element("circle", { class: "hint-way", cx: column + .5, cy: row + .5, r: .1 })))
      seen = then
    })
  }

  showFilm() {
    const bar = byId("film")
    bar.hidden = !this.film
    if (this.watchButton) this.watchButton.textContent = this.film && this.timer ? "❚❚ Pause" : "▶ Solution"
    if (!this.film) return
    const { at } = this.film, last = this.frames - 1
    if (!this.slider) {
      this.slider = html("input", { type: "range", min: 0, max: last, "aria-label": "Step of the solution", oninput: event => this.seek(Number(event.target.value)) })
      this.step = html("span", { class: "soft" })
      bar.replaceChildren(
        button("‹", "A step back", () => this.seek(this.film.at - 1), { "aria-label": "A step back" }), this.slider,
        button("›", "A step forward", () => this.seek(this.film.at + 1), { "aria-label": "A step forward" }), this.step,
        this.rules ? button("My game", "Back to the own moves", () => this.act(() => {})) : "")
    }
    this.slider.value = at
    this.step.textContent = `Step ${at} of ${last}`
  }

  // The position in words.
  state() {
    const { game, data } = this, standing = game.standing(), said = []
    const big = (name, words) => said.push(html("p", { class: `big ${name}` }, words))
    const back = (name, words, count) => said.push(html("p", { class: `big row ${name}` }, words, button(count ? `go back to move ${count}` : "go back to the start", "Take back the moves after it", () => this.goTo(count))))
    if (standing.kind === "solved") {
      big("good", game.moves.length ? `Solved in ${this.spent()}` : "It is solved at its start.")
      if (game.moves.length) said.push(html("p", {}, this.against()))
    } else if (standing.kind === "lost" && !standing.since) big("bad", "The level has no solution.")
    else if (standing.kind === "lost") back("bad", `Lost since move ${standing.since}: `, standing.since - 1)
    else if (standing.kind === "open") big("good", `${this.left(standing.left)} to go`)
    else if (data.verdict.verdict === "unsolvable") big("bad", "The level has no solution.")
    else if (standing.back >= 0 && data.best.length) back("warn", "Off the known solution: ", standing.back)
    else big("warn", "Nobody knows whether this can be solved")
    const isHelpless = this.hinted && standing.kind !== "open"  // that no hint is known is said in the place of the costs: the keys below stay where they are
    if (standing.kind !== "solved" && game.moves.length && !isHelpless) said.push(html("p", { class: "soft" }, `${this.spent()} so far`))
    if (this.hinted && standing.kind !== "solved") said.push(html("p", {}, this.hintWords(standing)))
    return said
  }

  left(cost) { return this.data.free ? counted(this.game.way().length, "moves") : counted(cost, this.data.metric) }

  spent() {
    const { game, data } = this
    return data.free ? counted(game.moves.length, "moves") : data.metrics.map(metric => counted(game.paid.at(-1)[metric] ?? 0, metric)).join(", ")
  }

  // The own cost against the best one.
  against() {
    const { verdict, metric } = this.data, own = this.game.paid.at(-1)[metric] ?? 0
    if (this.data.free || verdict.cost == null) return ""
    if (own < verdict.cost) return `Better than the solution that was known, which has ${counted(verdict.cost, metric)}.`
    if (own > verdict.cost) return verdict.optimal ? `The best is ${counted(verdict.cost, metric)}.` : `The best solution that is known has ${counted(verdict.cost, metric)}.`
    return verdict.optimal ? "No solution is better." : "No better solution is known."
  }

  hintWords(standing) {
    if (standing.kind === "lost") return "No hint: from here, no moves lead to the goal."
    if (!this.hinted.length) return "No hint is known for this position."
    const runs = []
    for (const name of this.hinted.map(each => this.rules.say?.(each) ?? each)) {
      if (runs.at(-1)?.[0] === name) runs.at(-1)[1] += 1
      else runs.push([name, 1])
    }
    const words = runs.map(([name, times]) => times === 1 ? name : `${name} ${times} times`)
    return ["Hint: ", html("b", {}, words.length > 4 ? `follow the dots, then ${words.at(-1)}` : words.join(", then "))]
  }

  listen() {
    const act = { z: () => this.undo(), Backspace: () => this.undo(), y: () => this.redo(), r: () => this.goTo(0), h: () => this.hint(), s: () => this.watchButton?.click() }
    document.addEventListener("keydown", event => {
      if (event.altKey || event.target.closest?.("input")) return
      const undo = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z"
      if (!undo && (event.ctrlKey || event.metaKey)) return
      if (undo) event.shiftKey ? this.redo() : this.undo()
      else if (event.key === "t" && this.rules.next) this.choose(this.rules.next(this.game.position, this.hand))
      else if (act[event.key]) act[event.key]()
      else if (ARROWS[event.key]) this.key(ARROWS[event.key])
      else return
      event.preventDefault()
    })
    this.svg.addEventListener("pointerdown", event => {
      event.preventDefault()
      this.svg.focus({ preventScroll: true })
      this.svg.setPointerCapture(event.pointerId)
      this.pressed = { cell: cellBelow(this.svg, event), x: event.clientX, y: event.clientY }
    })
    this.svg.addEventListener("pointercancel", () => { this.pressed = null })
    this.svg.addEventListener("pointerup", event => {
      if (!this.pressed) return
      const { cell, x, y } = this.pressed, to = cellBelow(this.svg, event), right = event.clientX - x, down = event.clientY - y
      this.pressed = null
      this.point(cell, to, Math.hypot(right, down) >= SWIPE ? direction(down, right) : "")
    })
  }

  // A tap or a drag; `way` is the direction of a swipe, which means a key where the drag means nothing else.
  point(from, to, way) {
    if (this.film) return this.act(() => {})
    const { rules, game: { position } } = this
    if (rules.solved(position)) return
    const find = (one, other) => one && other ? rules.point ? rules.point(position, one, other, way) : pointed(rules, position, one, other) : []
    if (way) {
      const names = String(from) === String(to) ? [] : find(from, to)
      return names.length ? this.play(names) : this.key(way)
    }
    if (rules.taps && to) {
      const from = this.picked
      if (from) return String(from) === String(to) ? this.act(() => {}) : this.tapped(find(from, to), to)
      this.picked = to
      return this.show()
    }
    const chosen = to && rules.choose?.(position, to)
    if (chosen != null) return this.choose(chosen)
    this.play(find(to, to))
  }

  // After the second of two taps: its moves; one without moves is the first tap of another move.
  tapped(names, to) {
    if (names.length) return this.play(names)
    this.picked = to
    this.show()
  }

  choose(hand) {
    this.hand = hand
    this.show()
  }
}
