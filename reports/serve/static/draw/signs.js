// Painting a level that is written as text: a palette of its signs, and strokes on its picture.

import { byId, html } from "../app/html.js"
import { element, group } from "../picture/shapes.js"
import { swatch } from "./board.js"

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }
let sign = "", at = [0, 0], byKeys = false  // the cursor of the keyboard, on the picture that is painted by keys

// `found` is the picture with its signs; `painted(cells, sign)` gets the cells of a stroke.
// `more` is a button beside the brushes.
export function paintable(svg, { picture, signs }, painted, more) {
  if (!signs.some(([each]) => each === sign)) sign = signs[0][0]
  const brushes = signs.map(([each, name, shapes]) => html("button", {
    class: "brush", role: "radio", "data-sign": each, "aria-checked": String(each === sign), "aria-label": name, title: `Paint ${name} (${each} in the text)`,
    onclick: () => {
      sign = each
      for (const brush of byId("tools").querySelectorAll(".brush")) brush.setAttribute("aria-checked", String(brush.dataset.sign === sign))
    },
  }, swatch(shapes), html("span", {}, each)))
  byId("tools").replaceChildren(html("div", { class: "brushes", role: "radiogroup", "aria-label": "Brush" }, ...brushes), more)
  const choose = to => byId("tools").querySelector(`.brush[data-sign="${CSS.escape(to)}"]`)?.click()
  const cursor = element("rect", { class: "cursor", x: .04, y: .04, width: .92, height: .92, rx: .12, visibility: "hidden" })
  const move = ([down, right]) => {
    const clamp = (value, most) => Math.max(0, Math.min(most - 1, value))
    at = [clamp(at[0] + down, picture.height), clamp(at[1] + right, picture.width)]
    cursor.setAttribute("transform", `translate(${at[1]} ${at[0]})`)
  }
  svg.append(cursor)
  svg.setAttribute("tabindex", 0)
  svg.setAttribute("role", "application")
  svg.setAttribute("aria-label", "The level: arrow keys move, space paints, a sign of the text chooses what")
  move([0, 0])
  svg.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (STEPS[event.key]) move(STEPS[event.key])
    else if (event.key === " " || event.key === "Enter") {
      byKeys = true
      painted([at], sign)
    } else if (signs.some(([each]) => each === event.key)) choose(event.key)
    else return
    cursor.setAttribute("visibility", "visible")
    event.preventDefault()
  })
  svg.addEventListener("blur", () => cursor.setAttribute("visibility", "hidden"))
  if (byKeys) {
    byKeys = false
    cursor.setAttribute("visibility", "visible")
    svg.focus({ preventScroll: true })
  }
  let cells = null
  const stroke = event => {
    const box = svg.getBoundingClientRect()
    const row = Math.floor((event.clientY - box.top) / box.height * picture.height)
    const column = Math.floor((event.clientX - box.left) / box.width * picture.width)
    if (row < 0 || column < 0 || row >= picture.height || column >= picture.width || cells.has(`${row} ${column}`)) return
    cells.set(`${row} ${column}`, [row, column])
    svg.append(group(signs.find(([each]) => each === sign)[2], { transform: `translate(${column} ${row})` }))
  }
  svg.addEventListener("pointerdown", event => {
    if (event.button !== 0) return
    event.preventDefault()
    svg.focus({ preventScroll: true })
    svg.setPointerCapture(event.pointerId)
    cells = new Map()
    stroke(event)
  })
  svg.addEventListener("pointermove", event => { if (cells) stroke(event) })
  svg.addEventListener("pointerup", () => {
    if (cells) painted([...cells.values()], sign)
    cells = null
  })
}

// The text with the sign in these cells of the rows that begin at a line and a column, from 1.
export function withSign(text, { line, column }, cells, sign) {
  const lines = text.split("\n").map(each => [...each])
  for (const [down, right] of cells) lines[line - 1 + down][column - 1 + right] = sign
  return lines.map(each => each.join("")).join("\n")
}
