// Painting a level that is written as text: a palette of its signs, and strokes on its picture.

import { byId, html } from "./html.js"
import { group } from "./shapes.js"
import { swatch } from "./board.js"

let sign = ""

// `found` is the picture with its signs; `painted(cells, sign)` gets the cells of a stroke.
export function paintable(svg, { picture, signs }, painted) {
  if (!signs.some(([each]) => each === sign)) sign = signs[0][0]
  const brushes = signs.map(([each, name, shapes]) => html("button", {
    class: "brush", role: "radio", "data-sign": each, "aria-checked": String(each === sign), "aria-label": name, title: `Paint ${name} (${each} in the text)`,
    onclick: () => {
      sign = each
      for (const brush of byId("tools").querySelectorAll(".brush")) brush.setAttribute("aria-checked", String(brush.dataset.sign === sign))
    },
  }, swatch(shapes), html("span", {}, each)))
  byId("tools").replaceChildren(html("div", { class: "brushes", role: "radiogroup", "aria-label": "Brush" }, ...brushes))
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
