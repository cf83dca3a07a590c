// Rectangles of signs: taken from a board, put onto one, and as text. A rectangle has `top`, `left`, `height` and `width`, a block is rows of signs.

import { MOST, resize } from "./sheet.js"

const MOST_TEXT = 50000  // characters of a text with a block

export const rectangle = ([y, x], [down, right]) => ({
  top: Math.min(y, down), left: Math.min(x, right), height: Math.abs(down - y) + 1, width: Math.abs(right - x) + 1 })

export const within = ({ top, left, height, width }, [row, column]) => row >= top && column >= left && row < top + height && column < left + width

export const whole = ({ rows }) => ({ top: 0, left: 0, height: rows.length, width: rows[0].length })

// The part of a rectangle that is on the board; null if none is.
export function clipped({ top, left, height, width }, { rows }) {
  const [up, near] = [Math.max(0, top), Math.max(0, left)], down = Math.min(rows.length, top + height) - up, right = Math.min(rows[0].length, left + width) - near
  return down > 0 && right > 0 ? { top: up, left: near, height: down, width: right } : null
}

export const taken = ({ rows }, { top, left, height, width }) => rows.slice(top, top + height).map(row => row.slice(left, left + width))

export const emptied = (sheet, rectangle, sign) => ({ ...sheet, rows: sheet.rows.map((row, y) => row.map((old, x) => within(rectangle, [y, x]) ? sign : old)) })

export const turned = block => block[0].map((_, x) => block.map(row => row[x]).reverse())
export const flipped = block => block.map(row => [...row].reverse())

// The board with a block at a place, clipped at the edges. A sign that a level has once goes elsewhere, and the last one in the block stays.
export function stamped(sheet, block, [top, left], kind) {
  const put = new Map()
  block.forEach((row, y) => row.forEach((sign, x) => {
    if (sheet.rows[top + y]?.[left + x] !== undefined) put.set(`${top + y} ${left + x}`, sign)
  }))
  let rows = sheet.rows.map((row, y) => row.map((old, x) => put.get(`${y} ${x}`) ?? old))
  for (const once of kind.single) {
    const last = [...put].findLast(([, sign]) => sign in once)?.[0]
    if (last) rows = rows.map((row, y) => row.map((sign, x) => `${y} ${x}` === last ? sign : once[sign] ?? sign))
  }
  return { ...sheet, rows }
}

// The board with lines at the right and at the bottom, so that a block has its place. A board that is square by its rules keeps its size.
export function roomy(sheet, block, [top, left], blank, { sized }) {
  let made = sheet
  if (sized) return made
  while (made.rows.length < Math.min(MOST, top + block.length)) made = resize(made, "bottom", 1, blank)
  while (made.rows[0].length < Math.min(MOST, left + block[0].length)) made = resize(made, "right", 1, blank)
  return made
}

// A block as other programs read it: a row that looks empty is written in signs that do not.
export function written(block, { between, hollow }) {
  return block.map(row => row.join(between)).map((line, y) => line.trim() || !hollow ? line : hollow.repeat(block[y].length)).join("\n")
}

// The block in a text of rows, also of another program: with other signs, or with numbers before repeated signs and | at the ends of rows.
// Short rows end outside of the level. Null if a line is something else.
export function read(text, kind) {
  if (text.length > MOST_TEXT) return null
  const signs = new Set(kind.brushes.map(([sign]) => sign)), plain = !kind.between && ![...signs].some(sign => /[\d|]/.test(sign))
  const lines = (plain ? text.replaceAll("|", "\n").replace(/(\d+)(\D)/g, (_, count, sign) => sign.repeat(Math.min(count, 10 * MOST))) : text).replaceAll("\r", "").split("\n")
  while (lines.length && !lines[0].length) lines.shift()
  while (lines.length && !lines.at(-1).length) lines.pop()
  const rows = lines.map(line => (kind.between ? line.trim().split(/\s+/) : [...line]).map(sign => signs.has(sign) ? sign : Object.hasOwn(kind.other, sign) ? kind.other[sign] : undefined))
  const width = Math.max(0, ...rows.map(row => row.length))
  if (!width || rows.some(row => !row.length || row.includes(undefined))) return null
  const rest = kind.outside || kind.brushes[0][0]
  return rows.map(row => [...row, ...Array(width - row.length).fill(rest)])
}
