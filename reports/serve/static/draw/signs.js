// Levels that are written as text are drawn, too: the rows of the level in its text are a sheet, and the signs of the text are brushes.

import { drawTools } from "./draw.js"
import { Board } from "./board.js"
import { toast } from "../app/html.js"

let board = null, rows = null, known = ""

// The board of a level whose picture the server has sent (`found`). `editor` has the `text`, `put(text)`, and what the tools need besides.
export function paintable(stage, found, editor, { without }) {
  const { signs } = found, like = JSON.stringify(signs)
  if (!board?.svg.isConnected || like !== known) {
    const legend = legendOf(editor.text), brushes = ordered(signs).map(([sign, name, shapes]) => [legend.get(sign) ?? sign, name, sign, shapes])
    const both = brushes.flatMap(([sign]) => [lower(sign), upper(sign)])
    const kind = { brushes, signs: true, between: "", hollow: "", outside: "", sized: "", enclosed: "", letters: false, onto: {}, single: [], other: Object.fromEntries(both.map(sign => [sign, sign])), without }
    rows = new Rows(editor)
    rows.take(found)
    board = new Board(stage, kind, rows)
    for (const [sign] of brushes) for (const each of [lower(sign), upper(sign)]) board.signs.set(each, board.signs.get(sign))
    known = like
    board.show(rows.sheet)
    drawTools(kind, rows, board.hand)
    return board
  }
  rows.take(found)
  if (!board.hand.gesture) board.show(rows.sheet)
  return board
}

// A sign in another case, if that is one sign, too.
const alone = (sign, other) => [...other].length === 1 ? other : sign
const lower = sign => alone(sign, sign.toLowerCase()), upper = sign => alone(sign, sign.toUpperCase())

// The signs of a legend as it writes them, by their small letters.
const legendOf = text => new Map(Array.from(text.matchAll(/^[ \t]*(\S)[ \t]*=/gmu), ([, sign]) => [lower(sign), sign]))

// Rows with new signs in the case in which the rows before have them. Small and capital letters are one sign in a game: those of
// the text stay as they are.
function inCase(rows, before) {
  const had = new Set(before.flat()), other = sign => [lower(sign), upper(sign)].find(each => had.has(each)) ?? sign
  return rows.map(row => row.map(sign => had.has(sign) ? sign : other(sign)))
}

// The board that the rows of a level are drawn on; null if none is on the page.
export const paintedBoard = () => board?.svg.isConnected ? board : null

// The text is another one. If the level was drawn in it before, as after undo, it can be drawn on before the server answers.
export function catchUp() { if (paintedBoard()) rows.catchUp() }

// The level has other rows.
export const replaced = sheet => rows.edit({ ...rows.sheet, rows: sheet.rows })

// The rows of an empty level as large as the one that is drawn: most of its border stays, if that is of one sign.
export function emptyRows() {
  if (!board?.svg.isConnected || !rows?.sheet) return null
  const { sheet } = rows, ground = board.kind.brushes[0][0], [height, width] = [sheet.rows.length, sheet.rows[0].length]
  const isBorder = (y, x) => y === 0 || x === 0 || y === height - 1 || x === width - 1
  const border = sheet.rows.flatMap((row, y) => row.filter((_, x) => isBorder(y, x))), counts = new Map()
  for (const sign of border) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  const [wall, count] = [...counts].sort((one, other) => other[1] - one[1])[0]
  return sheet.rows.map((row, y) => row.map((sign, x) => isBorder(y, x) && sign === wall && 2 * count > border.length ? wall : ground).join("")).join("\n")
}

// The sign of the background first: it fills new cells.
function ordered(signs) {
  const ground = signs.find(([, name]) => name === "background") ?? signs.find(([, name]) => name.startsWith("background")) ?? signs[0]
  return [ground, ...signs.filter(each => each !== ground)]
}

// The editor of the rows of a level in a text; `found` says where they are, from line and column 1.
class Rows {
  constructor(editor) { Object.assign(this, { editor, found: null, text: null, sheet: null, places: new Map() }) }  // where the level was found, by the texts

  get history() { return this.editor.history }
  get live() { return false }  // all levels of a game are judged again after each stroke

  // The level is where the server has found it in the text of now.
  take(found) {
    const { text } = this.editor, { line, column, picture } = found
    if (this.found === found && this.text === text) return
    if (found.line !== this.found?.line || column !== this.found.column) this.places.clear()  // perhaps another level
    const lines = text.split("\n").slice(line - 1, line - 1 + picture.height)
    const rows = lines.map(each => [...each].slice(column - 1, column - 1 + picture.width))
    const same = JSON.stringify(rows) === JSON.stringify(this.sheet?.rows)  // then it is the same sheet for a selection that lies on it
    Object.assign(this, { found, text, sheet: same ? this.sheet : { above: "", rows, below: "" } })
    this.keep()
  }

  keep() {
    const { line, column, picture: { height, width } } = this.found
    this.places.set(this.text, { line, column, picture: { height, width } })
  }

  catchUp() {
    const { text } = this.editor, found = this.places.get(text)
    if (!found || text === this.text) return
    this.take(found)
    if (!board.hand.gesture) board.show(this.sheet)
  }

  edit(made, joined = false) {
    if (made === this.sheet) return
    const sheet = { ...made, rows: inCase(made.rows, this.sheet.rows) }
    if (JSON.stringify(sheet.rows) === JSON.stringify(this.sheet.rows)) return board.show(this.sheet)
    const { editor, found, text } = this, lines = text.split("\n"), { height, width } = found.picture
    if (editor.text !== text) {
      board.show(this.sheet)
      return toast("The text has a fault: it is not what is seen here")
    }
    const before = lines.slice(found.line - 1, found.line - 1 + height)
    lines.splice(found.line - 1, height, ...sheet.rows.map((row, y) => {
      const line = [...(before[y] ?? before[0])]
      return [...line.slice(0, found.column - 1), ...row, ...(y < height ? line.slice(found.column - 1 + width) : [])].join("")
    }))
    Object.assign(this, { sheet, text: lines.join("\n"), found: { ...found, picture: { ...found.picture, height: sheet.rows.length, width: sheet.rows[0].length } } })
    this.keep()
    editor.put(this.text, joined)
    board.show(sheet)
  }

  fresh(sheet) { this.edit(sheet) }
  undo() { this.editor.undo() }
  redo() { this.editor.redo() }
  another() { this.editor.another() }
}
