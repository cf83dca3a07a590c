// What pointers and keys do on a board, with the chosen tool. A tool is pressed on a cell, moved over others, and released: by a pointer, or by
// the space key and arrows.

import { done } from "../app/welcome.js"
import { say, sized } from "../picture/places.js"
import { area, frame, line, mirrored, MIRRORS, region } from "./cells.js"
import { heard, presses } from "./keys.js"
import { Selection } from "./selection.js"
import { painted } from "./sheet.js"

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }
export const TOOLS = { paint: "KeyP", line: "KeyL", rectangle: "KeyR", fill: "KeyF", select: "KeyA" }
export const chosen = { tool: "paint", mirror: "", brush: "", of: null }  // for all boards of a puzzle

export class Hand {
  // `editor.live`: the level follows a stroke while it is painted. `editor.pick(cell)` says whether a cell is asked for, and has then been taken. `changed` is called when another tool or rectangle is chosen.
  constructor(board, kind, editor) {
    Object.assign(this, { board, kind, editor, gesture: null, joins: null, changed: () => {} })
    this.selection = new Selection(this)
    const of = kind.signs || kind
    if (chosen.of !== of) Object.assign(chosen, { tool: "paint", mirror: "", of })
    if (chosen.tool === "select") chosen.tool = "paint"
    const { brushes } = kind
    if (!brushes.some(([sign, , key]) => sign === chosen.brush && key)) [chosen.brush] = brushes.slice(1).find(([, , key, shapes]) => key && shapes.length) ?? brushes[1] ?? brushes[0]
    this.listen()
  }

  get blank() { return this.kind.brushes[0][0] }

  choose(tool) {
    this.cancel()
    if (tool !== "select") this.selection.drop()
    chosen.tool = tool
    this.show()
  }

  // A brush paints: the next drag must not move what is selected.
  pick(sign) {
    chosen.brush = sign
    if (chosen.tool === "select") this.choose("paint")
    else this.changed()
  }

  // The next way of mirrored painting.
  mirror() {
    chosen.mirror = MIRRORS[(MIRRORS.indexOf(chosen.mirror) + 1) % MIRRORS.length]
    this.show()
  }

  show() {
    this.board.outline(this.selection.rectangle, chosen.mirror)
    this.changed()
  }

  // The board has another size, perhaps.
  fits() {
    this.board.move(0, 0)
    this.selection.fits(this.board)
    this.board.outline(this.selection.rectangle, chosen.mirror)
  }

  // Another level, as one step of undo, or (`joined`) as more of the step before.
  commit(sheet, joined = false) {
    if (sheet === this.editor.sheet || JSON.stringify(sheet.rows) === JSON.stringify(this.editor.sheet.rows)) return
    done()
    this.editor.edit(sheet, joined)
    this.joins = this.editor.sheet
  }

  press(cell, { erases = false, selects = false, copies = false, joined = false } = {}) {
    if (!erases && this.editor.pick?.(cell)) return
    if (selects && chosen.tool !== "select") this.choose("select")
    const { tool } = chosen, sign = erases ? this.blank : chosen.brush
    if (!joined) this.joins = null
    this.gesture = { tool, sign, from: cell, last: cell, base: this.editor.sheet, made: this.editor.sheet }
    if (tool === "select") this.selection.press(cell, { extends: selects, copies })
    else if (tool === "fill") this.gesture.made = this.paint(region(this.editor.sheet.rows, cell), sign)
    else this.over(cell)
  }

  // The tool is over another cell.
  over(cell) {
    const { gesture } = this
    if (!gesture || gesture.tool === "fill") return
    const { tool, from, last, base, sign } = gesture
    gesture.last = cell
    if (tool === "select") return this.selection.over(cell)
    if (tool === "paint") return this.stroke(line(last, cell), sign)
    const cells = (tool === "line" ? line : frame)(from, cell), high = Math.abs(cell[0] - from[0]) + 1, wide = Math.abs(cell[1] - from[1]) + 1
    gesture.made = this.paint(cells, sign, base)
    sized(`, ${high} × ${wide}`)
    this.board.show(gesture.made)
  }

  stroke(cells, sign) {
    const { gesture, editor } = this
    gesture.made = this.paint(cells, sign, gesture.made)
    if (editor.live) this.commit(gesture.made, this.joins !== null && this.joins === editor.sheet)
    else this.board.show(gesture.made)
  }

  release() {
    const { gesture } = this
    this.gesture = null
    sized("")
    if (!gesture) return
    if (gesture.tool === "select") this.selection.release()
    else this.commit(gesture.made, this.joins !== null && this.joins === this.editor.sheet)
  }

  cancel() {
    const { gesture, editor } = this
    if (!gesture) return false
    this.gesture = null
    if (gesture.tool === "paint" && editor.live && this.joins !== null && this.joins === editor.sheet) editor.undo()  // the stroke so far
    sized("")
    this.selection.cancel()
    this.board.show(this.editor.sheet)
    return true
  }

  paint(cells, sign, sheet = this.editor.sheet) {
    return painted(sheet, mirrored(cells.filter(([y, x]) => sheet.rows[y]?.[x] !== undefined), chosen.mirror, sheet.rows), sign, this.kind)
  }

  // The selected rectangle is painted.
  fill(sign = chosen.brush) {
    const { rectangle } = this.selection
    if (!rectangle) return
    const { top, left, height, width } = rectangle
    this.joins = null
    this.commit(painted(this.editor.sheet, area([top, left], [top + height - 1, left + width - 1]), sign, this.kind))
  }

  listen() {
    const { board } = this, { svg } = board
    let pointer = null
    svg.addEventListener("contextmenu", event => event.preventDefault())
    svg.addEventListener("pointerdown", event => {
      if (pointer !== null || (event.button !== 0 && event.button !== 2)) return
      event.preventDefault()
      svg.focus({ preventScroll: true })
      svg.setPointerCapture(event.pointerId)
      this.cancel()
      pointer = event.pointerId
      board.point(false)
      board.at = board.cellAt(event)
      board.move(0, 0)
      this.press(board.at, { erases: event.button === 2, selects: event.shiftKey, copies: event.ctrlKey || event.metaKey })
    })
    svg.addEventListener("pointermove", event => {
      if (event.pointerId !== pointer) return
      for (const each of event.getCoalescedEvents?.() ?? [event]) this.over(board.cellAt(each))
    })
    svg.addEventListener("pointerup", event => {
      if (event.pointerId !== pointer) return
      pointer = null
      this.release()
    })
    svg.addEventListener("pointercancel", event => {
      if (event.pointerId !== pointer) return
      pointer = null
      this.cancel()
    })
    heard(svg, ["keydown"], event => this.key(event))
    heard(svg, ["copy", "cut", "paste"], event => this.selection.clipboard(event.type, event.clipboardData))
  }

  // Returns whether the key was used.
  key(event) {
    const control = (event.ctrlKey || event.metaKey) && !event.getModifierState("AltGraph"), { selection } = this
    const step = STEPS[event.key]
    if (event.altKey && !control && !event.getModifierState("AltGraph")) {
      const tool = Object.keys(TOOLS).find(each => TOOLS[each] === event.code)
      if (tool) this.choose(tool)
      else if (event.code === "KeyM") this.mirror()
      return Boolean(tool) || event.code === "KeyM"
    }
    if (control) {
      if (this.gesture && /^[zy]$/i.test(event.key)) return this.cancel()  // undone is what is about to be drawn
      if (step && selection.rectangle) return selection.nudge(step)
      if (event.key.toLowerCase() === "a") return selection.all()
      // The browser has an event for the text of a rectangle; the page would copy the whole level.
      if (selection.rectangle && /^[cx]$/i.test(event.key)) event.stopPropagation()
      return false
    }
    if (event.key === "Escape") return this.cancel() || this.leave()
    if (presses(event)) return false
    if (step) this.step(step, event.shiftKey)
    else if (event.key === " " || event.key === "Enter") this.act()
    else if (event.key === "Backspace" || event.key === "Delete") selection.rectangle ? this.fill(this.blank) : this.dab(true)
    else {
      const found = this.kind.brushes.find(([, , key]) => key && (key === event.key || key === event.key.toLowerCase()))
      if (!found) return false
      this.pick(found[0])
    }
    this.board.point(true)
    say(this.board.at, this.kind.letters)
    return true
  }

  // Out of the rectangle, then out of the tool.
  leave() {
    if (this.selection.drop()) this.show()
    else if (chosen.tool !== "paint") this.choose("paint")
    else return false
    return true
  }

  step(by, shift) {
    const { board } = this, { tool } = chosen
    if (shift && tool === "paint") {
      this.press(board.at, { joined: true })
      board.move(...by)
      this.over(board.at)
      return this.release()
    }
    if (shift && tool === "select") {
      if (!this.selection.pivot) this.selection.press(board.at)
      board.move(...by)
      this.selection.extend(board.at)
      return this.selection.release()
    }
    if (shift && tool !== "fill" && !this.gesture) this.press(board.at)
    board.move(...by)
    if (this.gesture) this.over(board.at)
    else if (this.selection.drop()) this.show()
  }

  // The space key: a stroke of one cell, or one corner of what is drawn and then the other one.
  act() {
    if (this.gesture) return this.release()
    if (this.selection.rectangle) return this.fill()
    this.press(this.board.at)
    if (chosen.tool === "paint" || chosen.tool === "fill" || chosen.tool === "select") this.release()
  }

  // One cell is painted, or erased, with whatever tool.
  dab(erases) {
    this.cancel()
    this.joins = null
    this.commit(this.paint([this.board.at], erases ? this.blank : chosen.brush))
  }
}
