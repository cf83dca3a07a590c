// The edges of a board, which are dragged to make it larger or smaller.

import { html } from "../app/html.js"
import { MOST, resize } from "./sheet.js"

const SIDES = ["top", "bottom", "left", "right"]

export class Edges {
  constructor(board, kind, editor) {
    Object.assign(this, { board, kind, editor })
    this.shape = html("div", { class: "outline", hidden: true })
    this.handles = [...SIDES.map(side => this.handle(side)), this.shape]
  }

  // The handles are beside the board, which is in the middle of its place.
  place() {
    const { svg, stage } = this.board
    stage.style.setProperty("--board-width", `${svg.getAttribute("width")}px`)
    stage.style.setProperty("--board-height", `${svg.getAttribute("height")}px`)
  }

  handle(side) {
    const upright = side === "top" || side === "bottom", outwards = side === "top" || side === "left" ? -1 : 1
    let from = null, by = 0
    // Lines more, or less, as far as the pointer was dragged.
    const dragged = event => {
      const { svg, width, height } = this.board, lines = upright ? height : width
      const way = (upright ? event.clientY - from.clientY : event.clientX - from.clientX) * outwards / (svg.getBoundingClientRect().width / width)
      return Math.max(1 - lines, Math.min(MOST - lines, Math.round(way)))
    }
    const end = () => {
      from = null
      this.shape.hidden = true
    }
    return html("div", {
      class: `edge edge-${side}`, title: "Drag to make the board larger or smaller", "aria-hidden": "true",
      onpointerdown: event => {
        event.preventDefault()
        event.target.setPointerCapture(event.pointerId)
        this.board.hand.cancel()
        from = event
        by = 0
      },
      onpointermove: event => {
        if (!from) return
        by = dragged(event)
        this.sketch(side, by)
      },
      onpointerup: () => {
        if (from && by) this.editor.edit(this.made(side, by))
        end()
      },
      onpointercancel: end,
    })
  }

  made(side, by) {
    let sheet = this.editor.sheet
    for (let n = Math.abs(by); n; n--) sheet = resize(sheet, side, Math.sign(by), this.kind.brushes[0][0], this.kind.sized)
    return sheet
  }

  // The size that the board will have.
  sketch(side, by) {
    const { svg, stage, width, height } = this.board
    const { sized } = this.kind, [down, right] = sized ? [by, by] : side === "top" || side === "bottom" ? [by, 0] : [0, by]
    const box = svg.getBoundingClientRect(), cell = box.width / width, around = stage.getBoundingClientRect()
    const up = side === "top" || (sized && side === "left"), back = side === "left" || (sized && side === "top")
    Object.assign(this.shape.style, {
      left: `${box.left - around.left - (back ? right * cell : 0)}px`, top: `${box.top - around.top - (up ? down * cell : 0)}px`,
      width: `${(width + right) * cell}px`, height: `${(height + down) * cell}px`,
    })
    this.shape.textContent = `${height + down} × ${width + right}`
    this.shape.hidden = false
  }
}
