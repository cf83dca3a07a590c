// The board on which a level is drawn: a cell for each sign, marks over them, and what a hand is about to do.

import { element, group, shape, fit } from "../picture/shapes.js"
import { heat } from "../picture/heat.js"
import { outside } from "./cells.js"
import { Edges } from "./edges.js"
import { Hand } from "./hand.js"
import { frames } from "./suggest.js"

const BEYOND = "brush-outside"  // what is drawn there
const MARGIN = 14  // pixels around the board, for its edges

export class Board {
  // `editor` has the sheet, and what changes it; `kind` says how levels of the puzzle are drawn.
  constructor(stage, kind, editor) {
    Object.assign(this, { stage, kind, once: kind.single.flatMap(left => Object.keys(left)) })
    this.signs = new Map(kind.brushes.map(([sign, , , shapes], number) => [sign, shapes.length ? `brush${number}` : BEYOND]))
    const symbols = kind.brushes.map(([, , , shapes], number) => group(shapes, { id: `brush${number}` }))
    this.cells = element("g")
    this.marks = element("g")
    this.ghosts = element("g", { class: "ghosts" })
    this.plan = element("g", { class: "plan" })
    this.cursor = element("rect", { class: "cursor", x: .04, y: .04, width: .92, height: .92, rx: .12, visibility: "hidden" })
    this.svg = element("svg", { tabindex: 0, role: "application", "aria-label": kind.signs ? "The level: arrow keys move, space paints, a sign of the text chooses what" : "Board: arrow keys move, space paints, shift and arrows paint a line" },
      element("defs", {}, ...symbols, group(OUTSIDE, { id: BEYOND })), this.cells, this.marks, this.ghosts, this.plan, this.cursor)
    if (kind.letters) this.svg.dataset.letters = ""
    this.at = [0, 0]
    this.hand = new Hand(this, kind, editor)
    this.edges = new Edges(this, kind, editor)
    stage.replaceChildren(this.svg, ...this.edges.handles)
    const seen = new ResizeObserver(() => this.svg.isConnected ? this.resize() : seen.disconnect())
    seen.observe(stage)
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
    const [[blank]] = this.kind.brushes, beyond = outside(rows, blank, this.kind.enclosed, this.once)
    rows.forEach((row, y) => row.forEach((sign, x) => {
      const look = beyond.has(`${y} ${x}`) ? BEYOND : this.signs.get(sign) ?? "brush0"
      if (this.shown[y][x] === look) return
      this.shown[y][x] = look
      this.uses[y][x].setAttribute("href", `#${look}`)
    }))
    this.ghost(null)
    this.hand.fits()
  }

  mark({ lost = [], ring = [], fault = [], hot = null, spare = [] }) {
    const rect = (name, inset) => ([y, x]) => element("rect", {
      class: name, x: x + inset, y: y + inset, width: 1 - 2 * inset, height: 1 - 2 * inset, rx: inset && .12,
    })
    this.marks.replaceChildren(heat(hot), ...lost.map(rect("lost", 0)), ...spare.map(rect("spare", 0)), ...ring.map(rect("ring", .05)), ...fault.map(rect("fault", .05)))
  }

  // Show cells as a change would leave them; without one, nothing.
  ghost(change) {
    const looks = (change?.paint ?? []).filter(([y, x]) => this.uses[y]?.[x]).map(([y, x, sign]) => element("use", { x, y, href: `#${this.signs.get(sign) ?? "brush0"}` }))
    this.ghosts.replaceChildren(...looks, ...(change ? frames(change) : []))
  }

  resize() {
    if (!this.width) return
    fit(this.svg, this.width, this.height, 1, MARGIN)
    this.edges.place()
  }

  // Move the cursor.
  move(down, right) {
    const clamp = (value, most) => Math.max(0, Math.min(most - 1, value))
    this.at = [clamp(this.at[0] + down, this.height), clamp(this.at[1] + right, this.width)]
    this.cursor.setAttribute("transform", `translate(${this.at[1]} ${this.at[0]})`)
  }

  point(visible) { this.cursor.setAttribute("visibility", visible ? "visible" : "hidden") }

  cellAt(event) {
    const box = this.svg.getBoundingClientRect()
    return [Math.floor((event.clientY - box.top) / box.height * this.height), Math.floor((event.clientX - box.left) / box.width * this.width)]
  }

  // The selected rectangle, and the lines of a mirror.
  outline(rectangle, mirror) {
    const line = (x, y, width, height) => element("line", { class: "mirror", x1: x, y1: y, x2: x + width, y2: y + height })
    this.plan.replaceChildren(
      ...(mirror === "across" || mirror === "both" ? [line(this.width / 2, 0, 0, this.height)] : []),
      ...(mirror === "down" || mirror === "both" ? [line(0, this.height / 2, this.width, 0)] : []),
      ...(rectangle ? ["selected-under", "selected"].map(name => element("rect", { class: name, x: rectangle.left, y: rectangle.top, width: rectangle.width, height: rectangle.height })) : []))
  }
}

// What is outside of a level, or has no shapes, such as a hole in a board, is a dot while it is drawn, and a cross as a brush.
const OUTSIDE = [["b", "line", .46, .46, .08, .08, .04]]
const HOLE = [["p", "line", [[.28, .24], [.76, .72], [.72, .76], [.24, .28]]], ["p", "line", [[.72, .24], [.76, .28], [.28, .76], [.24, .72]]]]

export function swatch(shapes) {
  return element("svg", { viewBox: "0 0 1 1", "aria-hidden": "true" }, ...(shapes.length ? shapes : HOLE).map(shape))
}
