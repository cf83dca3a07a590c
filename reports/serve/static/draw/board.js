// The board on which a level is drawn: a cell for each sign, marks over them, and a cursor for the keyboard.

import { element, group, shape, fit } from "../picture/shapes.js"
import { heat } from "../picture/heat.js"
import { say } from "../picture/places.js"

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }

export class Board {
  // `stroke(row, column, button, joined)` paints a cell; `keys` has functions for other keys of the keyboard.
  constructor(stage, kind, { stroke, brush }) {
    this.stage = stage
    this.kind = kind
    this.stroke = stroke
    this.brush = brush
    this.signs = new Map(kind.brushes.map(([sign], number) => [sign, `brush${number}`]))
    const symbols = kind.brushes.map(([sign, , , shapes]) => group(seen(shapes), { id: this.signs.get(sign) }))
    this.cells = element("g")
    this.marks = element("g")
    this.cursor = element("rect", { class: "cursor", x: .04, y: .04, width: .92, height: .92, rx: .12, visibility: "hidden" })
    this.svg = element("svg", { tabindex: 0, role: "application", "aria-label": "Board: arrow keys move, space paints, shift and arrows paint a line" },
      element("defs", {}, ...symbols), this.cells, this.marks, this.cursor)
    if (kind.letters) this.svg.dataset.letters = ""
    this.at = [0, 0]
    stage.replaceChildren(this.svg)
    this.listen()
  }

  show({ rows }) {
    const height = rows.length, width = rows[0].length
    if (this.height !== height || this.width !== width) {
      Object.assign(this, { height, width })
      this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`)
      this.uses = rows.map((row, y) => row.map((_, x) => element("use", { x, y })))
      this.cells.replaceChildren(...this.uses.flat())
      this.shown = rows.map(row => row.map(() => null))
      this.resize()
    }
    rows.forEach((row, y) => row.forEach((sign, x) => {
      if (this.shown[y][x] === sign) return
      this.shown[y][x] = sign
      this.uses[y][x].setAttribute("href", `#${this.signs.get(sign) ?? "brush0"}`)
    }))
    this.move(0, 0)
  }

  mark({ lost = [], ring = [], fault = [], hot = null }) {
    const rect = (name, inset) => ([y, x]) => element("rect", {
      class: name, x: x + inset, y: y + inset, width: 1 - 2 * inset, height: 1 - 2 * inset, rx: inset && .12,
    })
    this.marks.replaceChildren(heat(hot), ...lost.map(rect("lost", 0)), ...ring.map(rect("ring", .05)), ...fault.map(rect("fault", .05)))
  }

  resize() { if (this.width) fit(this.svg, this.width, this.height) }

  move(down, right) {
    const clamp = (value, most) => Math.max(0, Math.min(most - 1, value))
    this.at = [clamp(this.at[0] + down, this.height), clamp(this.at[1] + right, this.width)]
    this.cursor.setAttribute("transform", `translate(${this.at[1]} ${this.at[0]})`)
  }

  cellAt(event) {
    const box = this.svg.getBoundingClientRect()
    return [Math.floor((event.clientY - box.top) / box.height * this.height), Math.floor((event.clientX - box.left) / box.width * this.width)]
  }

  listen() {
    let last = null, button = 0
    const svg = this.svg
    svg.addEventListener("contextmenu", event => event.preventDefault())
    svg.addEventListener("pointerdown", event => {
      if (event.button !== 0 && event.button !== 2) return
      event.preventDefault()
      svg.focus({ preventScroll: true })
      svg.setPointerCapture(event.pointerId)
      button = event.button
      this.cursor.setAttribute("visibility", "hidden")
      last = this.cellAt(event)
      this.at = [...last]
      this.stroke(...last, button, false)
    })
    svg.addEventListener("pointermove", event => {
      if (!last) return
      for (const each of event.getCoalescedEvents?.() ?? [event]) {
        const to = this.cellAt(each)
        for (const cell of line(last, to)) this.stroke(...cell, button, true)
        last = to
      }
    })
    for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => { last = null })
    svg.addEventListener("keydown", event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (STEPS[event.key]) {
        if (event.shiftKey) this.stroke(...this.at, 0, false)
        this.move(...STEPS[event.key])
        if (event.shiftKey) this.stroke(...this.at, 0, true)
      } else if (event.key === " " || event.key === "Enter") this.stroke(...this.at, 0, false)
      else if (event.key === "Backspace" || event.key === "Delete") this.stroke(...this.at, 2, false)
      else if (!this.brush(event.key)) return
      this.cursor.setAttribute("visibility", "visible")
      say(this.at, this.kind.letters)
      event.preventDefault()
    })
    svg.addEventListener("blur", () => this.cursor.setAttribute("visibility", "hidden"))
  }
}

// The cells between two cells, without the first one.
function line([y, x], [down, right]) {
  const steps = Math.max(Math.abs(down - y), Math.abs(right - x))
  return Array.from({ length: steps }, (_, n) => [
    Math.round(y + (down - y) * (n + 1) / steps), Math.round(x + (right - x) * (n + 1) / steps)])
}

// What has no shapes, such as a hole in a board, is a cross while it is drawn.
const HOLE = [["p", "line", [[.28, .24], [.76, .72], [.72, .76], [.24, .28]]], ["p", "line", [[.72, .24], [.76, .28], [.28, .76], [.24, .72]]]]
const seen = shapes => shapes.length ? shapes : HOLE

export function swatch(shapes) {
  return element("svg", { viewBox: "0 0 1 1", "aria-hidden": "true" }, ...seen(shapes).map(shape))
}
