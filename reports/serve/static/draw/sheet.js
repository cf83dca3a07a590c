// A level to draw on: rows of signs, and the lines of its text above and below them. All functions return new values.

export function textOf(sheet, kind) {
  const rows = sheet.rows.map(row => {
    const line = row.join(kind.between)
    return kind.hollow && !line.trim() ? kind.hollow : line.trimEnd() || line
  })
  return [sheet.above, ...rows, sheet.below].filter((part, at, all) => part || (at && at < all.length - 1)).join("\n")
}

const blank = (sheet, sign, columns) => Array(columns ?? sheet.rows[0].length).fill(sign)
const withRows = (sheet, rows) => ({ ...sheet, rows })

export function paint(sheet, row, column, brush, kind) {
  const old = sheet.rows[row]?.[column]
  if (old === undefined) return sheet
  const sign = kind.onto[`${brush} ${old}`] ?? brush
  if (sign === old) return sheet
  const alone = kind.single.filter(left => sign in left), leave = cell => alone.reduce((sign, left) => left[sign] ?? sign, cell)
  return withRows(sheet, sheet.rows.map((cells, r) =>
    alone.length || r === row ? cells.map((cell, c) => (r === row && c === column ? sign : leave(cell))) : cells))
}

// A brush on many cells. A sign that a level has once is painted on the last one.
export function painted(sheet, cells, brush, kind) {
  const once = kind.single.some(left => brush in left)
  return (once ? cells.slice(-1) : cells).reduce((made, [row, column]) => paint(made, row, column, brush, kind), sheet)
}

// Other signs at some places: row, column, sign.
export function withSigns(sheet, signs) {
  const other = new Map(signs.map(([row, column, sign]) => [`${row} ${column}`, sign]))
  return withRows(sheet, sheet.rows.map((cells, r) => cells.map((cell, c) => other.get(`${r} ${c}`) ?? cell)))
}

export const MOST = 60

// Add (or with a negative number remove) a row or a column at an edge.
// `sized` is the word before the number of rows in the lines above; then the board stays square.
export function resize(sheet, edge, by, sign, sized = "") {
  if (sized) {
    const other = { top: "left", left: "top", bottom: "right", right: "bottom" }[edge]
    const made = resize(resize(sheet, edge, by, sign), other, by, sign)
    return { ...made, above: made.above.replace(RegExp(`(\\b${sized}[ \\t]+)\\d+`, "i"), `$1${made.rows.length}`) }
  }
  const { rows } = sheet
  if (edge === "top" || edge === "bottom") {
    if (by > 0 && rows.length >= MOST) return sheet
    if (by < 0 && rows.length <= 1) return sheet
    const line = blank(sheet, sign)
    if (by > 0) return withRows(sheet, edge === "top" ? [line, ...rows] : [...rows, line])
    return withRows(sheet, edge === "top" ? rows.slice(1) : rows.slice(0, -1))
  }
  if (by > 0 && rows[0].length >= MOST) return sheet
  if (by < 0 && rows[0].length <= 1) return sheet
  return withRows(sheet, rows.map(row => {
    if (by > 0) return edge === "left" ? [sign, ...row] : [...row, sign]
    return edge === "left" ? row.slice(1) : row.slice(0, -1)
  }))
}

export function shift(sheet, down, right) {
  const { rows } = sheet, height = rows.length, width = rows[0].length
  return withRows(sheet, rows.map((row, r) => row.map((_, c) => rows[(r - down + height) % height][(c - right + width) % width])))
}

export function rotate(sheet) {
  const { rows } = sheet
  return withRows(sheet, rows[0].map((_, c) => rows.map(row => row[c]).reverse()))
}

export const mirror = sheet => withRows(sheet, sheet.rows.map(row => [...row].reverse()))

export function clear(sheet, sign) {
  return withRows(sheet, sheet.rows.map(row => row.map(() => sign)))
}

export function room(sheet, sign, wall) {
  const { rows } = sheet, inside = (at, most) => at > 0 && at < most - 1
  return withRows(sheet, rows.map((row, r) => row.map((_, c) => inside(r, rows.length) && inside(c, row.length) ? sign : wall)))
}

// As many rows and columns, by lines at the bottom and at the right.
export function resized(sheet, rows, columns, sign, sized) {
  const grown = (made, edge, missing) => {
    for (let n = Math.abs(missing); n; n--) made = resize(made, edge, Math.sign(missing), sign, sized)
    return made
  }
  const high = grown(sheet, "bottom", rows - sheet.rows.length)
  return sized ? high : grown(high, "right", columns - sheet.rows[0].length)
}

// An empty board; in a puzzle with walls, an empty room.
export function emptied(sheet, { brushes }) {
  const wall = brushes.find(([, name]) => name === "wall")?.[0]
  return wall ? room(sheet, brushes[0][0], wall) : clear(sheet, brushes[0][0])
}

// An empty level of a puzzle.
export const empty = (kind, rows, columns) => emptied(resized(kind.sheet, rows, columns, kind.brushes[0][0], kind.sized), kind)

// The text of an empty level as large as the one with these rows; nothing for a puzzle that is not drawn.
export const emptyAs = (kind, sheet) => sheet && kind.sheet ? textOf(empty(kind, sheet.rows.length, sheet.rows[0].length), kind) : null

// The cell at a column of a line of the text.
export function cellAt(text, { line, column }, kind) {
  if (!kind.between) return column - 1
  return text.split("\n")[line - 1].slice(0, column - 1).split(/\s+/).filter(Boolean).length
}
