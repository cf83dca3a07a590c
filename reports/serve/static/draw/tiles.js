// Drawing a level of square tiles: numbers are painted on their sides, and tiles are dragged to the cells of the initial board.
// Unplaced tiles lie beside the board, as in the picture of a position. A value is `{ rows, tiles, game, board }`, and the lines of
// the text that it was read from; all functions return new values.

import { byId, html, button, toast } from "../app/html.js"
import { likeThis } from "./draw.js"
import { heard, presses } from "./keys.js"
import { element, fit } from "../picture/shapes.js"
import { frame } from "./suggest.js"

const CLOCKWISE = ["north", "east", "south", "west"]
const CORNERS = [[.03, .03], [.97, .03], [.97, .97], [.03, .97]]
const NUMBERS = [[.5, .2], [.8, .5], [.5, .8], [.2, .5]]
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }
const NARROW = 520  // pixels
const MOST_ROWS = 12
const MOST_NUMBER = 10 ** 9
const MOST_STATES = 500  // values that are kept by their texts, for undo
const NUMBERED = 10  // colours of numbers

// The lines of a level.
export function textOf({ rows, tiles, game, board }, { heading }) {
  const width = Math.max(...tiles.flat().map(each => String(each).length), 1), digits = String(tiles.length).length
  const line = (numbers, wide) => numbers.map(each => String(each).padStart(wide)).join(" ")
  const lines = [`${heading} ${rows}`, ...tiles.map(tile => line(tile, width))]
  if (game) lines.push(game[0].toUpperCase() + game.slice(1), ...Array.from({ length: rows }, (_, row) => line(board.slice(row * rows, (row + 1) * rows), digits)))
  return lines.join("\n")
}

// An empty level: all numbers are 0.
export const blank = rows => ({ rows, tiles: Array.from({ length: rows * rows }, () => [0, 0, 0, 0]), game: "", board: [] })

// With another number of rows: tiles are added at the end, or taken away there. The upper left corner of the board stays.
export function resized(level, rows) {
  const most = rows * rows, tiles = [...level.tiles.slice(0, most), ...blank(rows).tiles.slice(level.tiles.length)]
  const board = Array.from({ length: most }, (_, cell) => {
    const row = Math.floor(cell / rows), column = cell % rows
    const tile = row < level.rows && column < level.rows ? level.board[row * level.rows + column] ?? 0 : 0
    return tile > most ? 0 : tile
  })
  return { ...level, rows, tiles, board }
}

// The same tiles for another game; `full`: every cell of its board has a tile.
export function played(level, game, full) {
  const most = level.rows * level.rows, board = Array.from({ length: most }, (_, cell) => level.board[cell] ?? 0)
  if (!game) return { ...level, game, board: [] }
  if (!full) return { ...level, game, board }
  const left = Array.from({ length: Math.min(most, level.tiles.length) }, (_, number) => number + 1).filter(number => !board.includes(number))
  return { ...level, game, board: board.map(number => number || left.shift() || 0) }
}

export function numbered(level, tile, side, number) {
  return { ...level, tiles: level.tiles.map((sides, at) => at === tile ? sides.map((old, which) => which === side ? number : old) : sides) }
}

export function without(level, tile) {
  return { ...level, tiles: level.tiles.filter((_, at) => at !== tile), board: level.board.map(number => number === tile + 1 ? 0 : number > tile + 1 ? number - 1 : number) }
}

export class Tiles {
  // `edit(text)` puts another text; `undo`, `redo` and `another` are the editor's.
  constructor(stage, place, kind, editor, edit) {
    Object.assign(this, { stage, place, kind: kind.tiling, editor, edit, states: new Map(), level: null, text: "", at: 0, side: "north", brush: 1, why: null })
    this.full = Object.keys(this.kind.games).at(-1)
    this.cells = element("g")
    this.over = element("g")
    this.ghosts = element("g", { class: "ghosts" })
    this.svg = element("svg", { tabindex: 0, role: "application", "aria-label": "Tiles: arrow keys choose a tile; N, E, S and W one of its sides; digits set its number" }, this.cells, this.over, this.ghosts)
    stage.replaceChildren(this.svg)
    this.tools(kind)
    this.listen()
  }

  tools(kind) {
    const undo = button("↶", "Undo (Ctrl+Z)", () => this.editor.undo(), { id: "undo", "aria-label": "Undo" })
    const redo = button("↷", "Redo (Ctrl+Y)", () => this.editor.redo(), { id: "redo", "aria-label": "Redo" })
    const size = by => this.put(level => resized(level, Math.max(1, Math.min(MOST_ROWS, level.rows + by))))
    const sizes = html("span", { class: "size" }, button("−", "A row and a column less; the last tiles go", () => size(-1), { "aria-label": "Smaller board" }),
      this.rows = html("span", {}), button("+", "A row and a column more, with tiles for them", () => size(1), { "aria-label": "Larger board" }))
    this.game = html("select", { "aria-label": "What a player does", title: "What a player does: a game has an initial board, to which tiles are dragged", onchange: event => this.put(level => played(level, event.target.value, event.target.value === this.full)) },
      html("option", { value: "" }, "arrange the tiles"), Object.entries(this.kind.games).map(([game, words]) => html("option", { value: game }, words)))
    const more = button("+ Tile", "One more tile, at the end", () => this.put(level => ({ ...level, tiles: [...level.tiles, [0, 0, 0, 0]] })))
    const less = button("− Tile", "Remove the tile that has the frame (Delete)", () => this.remove())
    this.brushes = Array.from({ length: NUMBERED }, (_, number) => html("button", {
      class: "brush", role: "radio", "aria-label": `Number ${number}`, title: `Paint ${number}: click on the side of a tile (${number})`, onclick: event => { this.choose(number); if (event.detail) this.svg.focus({ preventScroll: true }) },
    }, element("svg", { viewBox: "0 0 1 1", "aria-hidden": "true" }, element("rect", { width: 1, height: 1, fill: colour(number) }), label(.5, .5, number, .7))))
    this.number = html("input", { type: "number", class: "number", min: 0, max: MOST_NUMBER, "aria-label": "Another number", title: "Any number, to be painted", oninput: () => { if (this.number.validity.valid && this.number.value) this.choose(Number(this.number.value)) } })
    this.said = html("span", { class: "soft", role: "status" })
    this.place.replaceChildren(undo, redo, sizes, this.game, more, less, likeThis(kind, this.editor),
      html("div", { class: "brushes", role: "radiogroup", "aria-label": "Number to paint" }, this.brushes, this.number), this.said)
    this.choose(this.brush)
  }

  choose(number) {
    this.brush = number
    this.brushes.forEach((brush, at) => brush.setAttribute("aria-checked", String(at === number)))
    if (document.activeElement !== this.number) this.number.value = number
  }

  // The level of a text with this number, if it was seen before; else the page stays until `hear` gets it.
  show(text, number) {
    this.text = text
    this.number_ = number
    const known = this.states.get(`${number}\n${text}`)
    if (known) this.draw(known)
  }

  hear(text, number, level) {
    const key = `${number}\n${text}`
    if (this.states.has(key) && this.level === this.states.get(key)) return
    this.keep(key, level)
    if (text === this.text && number === this.number_) this.draw(level)
  }

  keep(key, level) {
    this.states.set(key, level)
    if (this.states.size > MOST_STATES) this.states.delete(this.states.keys().next().value)
  }

  // Another value, in the place of the lines of the level on the page.
  put(make) {
    const key = `${this.number_}\n${this.text}`, old = this.states.get(key)
    if (!old || old !== this.level) return toast("The text has a fault: it is not what is seen here")
    const made = make(old)
    if (made === old) return
    const written = textOf(made, this.kind).split("\n"), lines = this.text.split("\n")
    lines.splice(old.line - 1, old.lines, ...written)
    const text = lines.join("\n")
    this.keep(`${this.number_}\n${text}`, { ...made, line: old.line, lines: written.length })
    this.edit(text)
  }

  // Other tiles, for the same game; `like` is their text.
  take(tiles) { this.put(level => this.played(tiles, level)) }
  like(tiles) { return textOf(this.played(tiles, this.level), this.kind) }
  played(tiles, { game }) { return played({ ...tiles, board: [] }, game, game === this.full) }

  remove() {
    if (this.level?.tiles.length > 1) this.put(level => without(level, this.at))
  }

  // The place of each tile in the picture: on the board, or beside it.
  places({ rows, tiles, game, board }) {
    const found = new Map()
    if (game) board.forEach((number, cell) => { if (number) found.set(number - 1, [Math.floor(cell / rows), cell % rows]) })
    let beside = 0
    const across = this.tall ? rows : 0  // tiles in a row below the board; else they are in columns beside it
    tiles.forEach((_, tile) => {
      if (found.has(tile)) return
      found.set(tile, across ? [rows + .4 + Math.floor(beside / across), beside % across] : [beside % rows, rows + 1 + Math.floor(beside / rows)])
      beside += 1
    })
    const [down, right] = [0, 1].map(axis => Math.max(rows, ...[...found.values()].map(at => at[axis] + 1)))
    return { found, height: down, width: right }
  }

  draw(level) {
    this.level = level
    this.ghost(null)
    const { rows, tiles } = level
    this.tall = this.stage.clientWidth < NARROW
    Object.assign(this, this.places(level))
    this.at = Math.min(this.at, tiles.length - 1)
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`)
    this.cells.replaceChildren(
      ...Array.from({ length: rows * rows }, (_, cell) => element("rect", { class: "place", x: cell % rows + .02, y: Math.floor(cell / rows) + .02, width: .96, height: .96, rx: .05 })),
      ...tiles.map((tile, at) => this.tile(tile, at)))
    this.svg.dataset.cells = `${rows} ${rows}`
    this.rows.textContent = `${rows} × ${rows}`
    this.game.value = level.game
    this.mark()
    this.resize()
  }

  tile(numbers, at) {
    const [row, column] = this.found.get(at)
    const title = element("title")
    const sides = CLOCKWISE.map((side, which) => {
      const number = numbers[this.kind.sides.indexOf(side)]
      const corners = [CORNERS[which], CORNERS[(which + 1) % 4], [.5, .5]]
      return element("g", { class: "side", "data-tile": at, "data-side": side }, element("polygon", { points: corners.map(each => each.join()).join(" "), fill: colour(number) }), label(...NUMBERS[which], number))
    })
    title.textContent = `Tile ${at + 1}: ${this.kind.sides.map((side, which) => `${side} ${numbers[which]}`).join(", ")}`
    return element("g", { transform: `translate(${column} ${row})` }, title, element("rect", { x: .03, y: .03, width: .94, height: .94, rx: .04, fill: "var(--c-ink)" }), ...sides,
      element("circle", { class: "name", cx: .5, cy: .5, r: .1 }), label(.5, .5, at + 1, .13))
  }

  // The frame of the chosen tile, its side, and rings around tiles that are to blame.
  mark() {
    const [row, column] = this.found.get(this.at) ?? [0, 0], which = CLOCKWISE.indexOf(this.side)
    const corners = [CORNERS[which], CORNERS[(which + 1) % 4], [.5, .5]].map(([x, y]) => `${x + column},${y + row}`)
    const framed = (name, [y, x]) => element("rect", { class: name, x: x + .02, y: y + .02, width: .96, height: .96, rx: .06 })
    const { cells = [], objects = [] } = this.why ?? {}
    const rings = cells.length ? cells : objects.map(name => this.found.get(name - 1)).filter(Boolean)
    this.over.replaceChildren(...rings.map(each => framed("ring", each)), framed("cursor", [row, column]), element("polygon", { class: "chosen", points: corners.join(" ") }))
    this.said.textContent = this.level ? `tile ${this.at + 1}, ${this.side}` : ""
  }

  // Show tiles as a change would leave them; without one, nothing.
  ghost(change) {
    const changed = !change || !this.level ? [] : [...change.tiles.tiles.keys()].filter(at => String(change.tiles.tiles[at]) !== String(this.level.tiles[at]) && this.found.has(at))
    this.ghosts.replaceChildren(...changed.flatMap(at => [this.tile(change.tiles.tiles[at], at), frame("ghost", ...this.found.get(at))]))
  }

  // Other numbers and another initial board, as they are.
  change({ tiles, board }) { this.put(level => ({ ...level, tiles, board })) }

  // `why` names cells of the board, or tiles.
  ring(why) {
    this.why = why
    if (this.level) this.mark()
  }

  // The tiles go below the board where that has the better place.
  resize() {
    if (!this.width) return
    if (this.tall !== this.stage.clientWidth < NARROW) return this.draw(this.level)
    fit(this.svg, this.width, this.height, 1.5)
  }

  paint(number) {
    const side = this.kind.sides.indexOf(this.side)
    this.put(level => level.tiles[this.at][side] === number ? level : numbered(level, this.at, side, number))
  }

  // A tile is dragged to a cell of the board, to another tile, or away from the board.
  drag(tile, [y, x]) {
    const { rows, game, board } = this.level, cell = y < rows && x < rows && y >= 0 && x >= 0 ? y * rows + x : -1
    if (!game) return toast("The tiles of this level are arranged by the player: choose a game to give it an initial board")
    const from = board.indexOf(tile + 1)
    if (cell === from || (cell < 0 && (from < 0 || game === this.full))) return
    this.put(level => {
      const moved = [...level.board]
      if (from >= 0) moved[from] = cell < 0 ? 0 : moved[cell]
      if (cell >= 0) moved[cell] = tile + 1
      return { ...level, board: moved }
    })
  }

  // The tile that is next to the chosen one in a direction of the picture.
  step([down, right]) {
    const [y, x] = this.found.get(this.at)
    const ahead = [...this.found].map(([tile, [row, column]]) => {
      const along = (row - y) * down + (column - x) * right, aside = Math.abs((row - y) * right) + Math.abs((column - x) * down)
      return [along + 3 * aside, tile, along]
    }).filter(([, , along]) => along > 0)
    if (ahead.length) this.at = ahead.reduce((best, each) => each[0] < best[0] ? each : best)[1]
    this.mark()
  }

  listen() {
    const cell = event => {
      const box = this.svg.getBoundingClientRect()
      return [Math.floor((event.clientY - box.top) / box.height * this.height), Math.floor((event.clientX - box.left) / box.width * this.width)]
    }
    let from = null
    this.svg.addEventListener("pointerdown", event => {
      const side = event.target.closest(".side")
      event.preventDefault()
      this.svg.focus({ preventScroll: true })
      if (event.button !== 0 || !side || !this.level) return
      this.svg.setPointerCapture(event.pointerId)
      this.at = Number(side.dataset.tile)
      this.side = side.dataset.side
      from = cell(event)
      this.mark()
    })
    this.svg.addEventListener("pointerup", event => {
      if (!from) return
      const to = cell(event)
      String(to) === String(from) ? this.paint(this.brush) : this.drag(this.at, to)
      from = null
    })
    this.svg.addEventListener("pointercancel", () => { from = null })
    heard(this.svg, ["keydown"], event => this.key(event))
  }

  // Returns whether the key was used.
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.level || presses(event)) return false
    const side = CLOCKWISE.find(each => each[0] === event.key.toLowerCase())
    if (STEPS[event.key]) this.step(STEPS[event.key])
    else if (side) {
      this.side = side
      this.mark()
    } else if (/^[0-9]$/.test(event.key)) {
      this.choose(Number(event.key))
      this.paint(this.brush)
    } else if (event.key === " " || event.key === "Enter") this.paint(this.brush)
    else if (event.key === "Delete") this.remove()
    else return false
    return true
  }
}

const colour = number => `var(--c-${number % NUMBERED})`

function label(x, y, number, most = .27) {
  const text = element("text", { x, y, "font-size": Math.min(most, .5 / String(number).length), "text-anchor": "middle", "dominant-baseline": "central", fill: "var(--c-ink)" })
  text.textContent = number
  return text
}
