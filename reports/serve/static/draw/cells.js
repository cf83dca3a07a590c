// Which cells a tool takes: all functions return lists of cells, each a row and a column from 0.

const between = (one, other) => Array.from({ length: Math.abs(other - one) + 1 }, (_, n) => Math.min(one, other) + n)

// The cells from one to another, both with them.
export function line([y, x], [down, right]) {
  const steps = Math.max(Math.abs(down - y), Math.abs(right - x))
  return Array.from({ length: steps + 1 }, (_, n) => [
    Math.round(y + (down - y) * n / (steps || 1)), Math.round(x + (right - x) * n / (steps || 1))])
}

// The cells of the rectangle with these opposite corners.
export const area = ([y, x], [down, right]) => between(y, down).flatMap(row => between(x, right).map(column => [row, column]))

// Those at its edge.
export const frame = (one, other) => area(one, other).filter(cell => [0, 1].some(axis => cell[axis] === one[axis] || cell[axis] === other[axis]))

// The cells of one sign that are connected to a cell by their sides.
export function region(rows, [row, column]) {
  const sign = rows[row]?.[column], seen = new Set([`${row} ${column}`]), found = sign === undefined ? [] : [[row, column]]
  for (const [y, x] of found) {
    for (const next of beside(y, x)) {
      if (rows[next[0]]?.[next[1]] !== sign || seen.has(next.join(" "))) continue
      seen.add(next.join(" "))
      found.push(next)
    }
  }
  return found
}

const beside = (y, x) => [[y - 1, x], [y + 1, x], [y, x - 1], [y, x + 1]]

export const MIRRORS = ["", "across", "down", "both"]

// The cells with their images in a mirror that stands in the middle of the board: `across` it changes left and right. The cells themselves come last.
export function mirrored(cells, mirror, rows) {
  const images = cells.flatMap(([y, x]) => {
    const down = rows.length - 1 - y, right = rows[0].length - 1 - x
    return { across: [[y, right]], down: [[down, x]], both: [[down, right], [down, x], [y, right]] }[mirror] ?? []
  })
  return [...images, ...cells]
}

// The blank cells outside of a level that walls enclose: those connected to the edge without a wall between, and without a piece among them. If the level
// has a piece that it has once (`once` are its signs), it alone says what is inside: others may be decoration. A board without a wall, or with a hole in
// its wall, has no outside yet. Returns a set of "row column".
export function outside(rows, blank, wall, once = []) {
  const found = new Set(), seen = new Set(), placed = rows.some(row => row.some(sign => once.includes(sign)))
  if (!wall || !rows.some(row => row.includes(wall))) return found
  rows.forEach((row, y) => row.forEach((_, x) => {
    if ((y && x && y < rows.length - 1 && x < row.length - 1) || seen.has(`${y} ${x}`) || row[x] === wall) return
    const area = [[y, x]]
    seen.add(`${y} ${x}`)
    for (const cell of area) {
      for (const [down, right] of beside(...cell)) {
        const sign = rows[down]?.[right]
        if (sign === undefined || sign === wall || seen.has(`${down} ${right}`)) continue
        seen.add(`${down} ${right}`)
        area.push([down, right])
      }
    }
    const signs = area.map(([down, right]) => rows[down][right])
    if (signs.some(sign => placed ? once.includes(sign) : sign !== blank)) return
    area.forEach((cell, at) => { if (signs[at] === blank) found.add(cell.join(" ")) })
  }))
  return found
}
