// The selected rectangle of a board: moved, copied, cut, pasted, turned. What was moved or pasted lies over the board until another edit:
// when it is moved on, what it covered is there again.

import { toast } from "../app/html.js"
import { sized } from "../picture/places.js"
import * as blocks from "./block.js"

let copied = "", from = [0, 0]  // the text of the last rectangle that was copied here, and its place

export class Selection {
  constructor(hand) {
    Object.assign(this, { hand, rectangle: null, pivot: null, grip: null, loose: null })
  }

  get sheet() { return this.hand.editor.sheet }

  select(rectangle) {
    this.rectangle = rectangle
    this.hand.show()
  }

  drop() {
    const was = this.rectangle !== null
    Object.assign(this, { rectangle: null, pivot: null, grip: null, loose: null })
    return was
  }

  fits(board) {
    if (this.grip || !this.rectangle || !board.height) return
    if (this.loose?.sheet === this.sheet) return
    this.rectangle = blocks.clipped(this.rectangle, { rows: board.shown })
  }

  all() {
    this.hand.choose("select")
    this.select(blocks.whole(this.sheet))
    return true
  }

  // A new rectangle begins at a cell, or the one that is there is gripped.
  press(cell, { extends: further = false, copies = false } = {}) {
    if (this.rectangle && !further && blocks.within(this.rectangle, cell)) return this.grasp(cell, copies)
    if (!further || !this.pivot) this.pivot = cell
    this.loose = null
    this.extend(cell)
  }

  extend([row, column]) {
    const { height, width } = this.hand.board, inside = (value, most) => Math.max(0, Math.min(most - 1, value))
    const found = blocks.rectangle(this.pivot, [inside(row, height), inside(column, width)])
    this.loose = null
    sized(`, ${found.height} × ${found.width} selected`)
    this.select(found)
  }

  // The block that is moved, and the board under it.
  grasp(cell, copies) {
    this.grip = { cell, was: this.rectangle, ...this.lifted(copies) }
  }

  lifted(copies = false) {
    const { sheet } = this
    if (this.loose?.sheet === sheet) return copies ? { block: this.loose.block, under: sheet } : this.loose
    const on = blocks.clipped(this.rectangle, sheet)
    return { block: blocks.taken(sheet, on), under: copies ? sheet : blocks.emptied(sheet, on, this.hand.blank) }
  }

  over(cell) {
    if (!this.grip) return this.extend(cell)
    const { cell: [y, x], was, block, under } = this.grip
    const moved = { ...was, top: was.top + cell[0] - y, left: was.left + cell[1] - x }
    if (!blocks.clipped(moved, under)) return
    const same = moved.top === was.top && moved.left === was.left
    this.grip.made = same ? null : blocks.stamped(under, block, [moved.top, moved.left], this.hand.kind)
    this.rectangle = moved
    this.hand.board.show(this.grip.made ?? this.sheet)
    this.hand.show()
  }

  release() {
    const { grip } = this
    this.grip = null
    if (grip?.made) this.put(grip, grip.made, this.rectangle)
  }

  cancel() {
    if (this.grip) this.rectangle = this.grip.was
    this.grip = null
    this.hand.show()
  }

  // The block lies on the board: `sheet` is the board with it.
  put({ block, under }, sheet, rectangle) {
    this.loose = null
    this.hand.joins = null
    this.rectangle = rectangle
    this.grip = {}  // the rectangle stays while the board gets another size
    this.hand.commit(sheet)
    this.grip = null
    this.loose = { block, under, sheet: this.sheet }
    this.hand.show()
  }

  // Move it by a step.
  nudge([down, right]) {
    const found = this.lifted(), moved = { ...this.rectangle, top: this.rectangle.top + down, left: this.rectangle.left + right }
    if (blocks.clipped(moved, found.under)) this.put(found, blocks.stamped(found.under, found.block, [moved.top, moved.left], this.hand.kind), moved)
    return true
  }

  // `change` makes a block of a block: it is turned, or its sides are changed.
  change(change) {
    if (!this.rectangle) return
    const { block, under } = this.lifted(), made = change(block), { top, left } = this.rectangle
    const room = blocks.roomy(under, made, [top, left], this.hand.blank, this.hand.kind)
    this.put({ block: made, under: room }, blocks.stamped(room, made, [top, left], this.hand.kind), { top, left, height: made.length, width: made[0].length })
  }

  text() {
    const on = this.loose?.sheet === this.sheet ? null : blocks.clipped(this.rectangle, this.sheet)
    return blocks.written(on ? blocks.taken(this.sheet, on) : this.loose.block, this.hand.kind)
  }

  // An event of the browser; returns whether it was used. `data` is what the clipboard holds, or will.
  clipboard(name, data) {
    if (name === "paste") return this.paste(data.getData("text"))
    if (!this.rectangle || String(getSelection())) return false
    this.hold()
    data.setData("text/plain", copied)
    this.copied(name)
    return true
  }

  hold() {
    copied = this.text()
    from = [Math.max(0, this.rectangle.top), Math.max(0, this.rectangle.left)]
  }

  copied(name) {
    const { height, width } = this.rectangle
    toast(`${name === "cut" ? "Cut" : "Copied"}: ${height} × ${width} cells`)
    if (name === "cut") this.hand.fill(this.hand.blank)
  }

  // The buttons do what the keys do. A browser may refuse its clipboard: then rectangles go from board to board of this page.
  async take(name) {
    if (!this.rectangle) return
    this.hold()
    this.copied(name)
    try { await navigator.clipboard.writeText(copied) } catch { /* see above */ }
  }

  async give() {
    let text = copied
    try { text = await navigator.clipboard.readText() } catch { /* see above */ }
    if (!this.paste(text, true)) toast(text.trim() ? "The clipboard has no rows of signs of this puzzle" : "Nothing was copied yet")
  }

  // Rows of signs go to the selected place; a whole level, where no part of the board is selected, is not taken here.
  paste(text, wanted = false) {
    const { kind, blank, editor, board } = this.hand, { sheet } = editor
    const on = this.rectangle && blocks.clipped(this.rectangle, sheet), all = on && on.height === sheet.rows.length && on.width === sheet.rows[0].length
    const own = text.replaceAll("\r", "").trimEnd() === copied.trimEnd()
    if (!wanted && !kind.signs && (!on || all) && !own) {
      if (this.drop()) this.hand.show()
      return false
    }
    const block = blocks.read(text, kind)
    if (!block) return false
    if (all && !kind.sized) {  // another level in the rows of this one
      this.drop()
      this.hand.commit({ ...sheet, rows: block })
      return true
    }
    const there = own && !board.at[0] && !board.at[1] && sheet.rows[from[0]]?.[from[1]] !== undefined ? from : board.at  // rather where it was copied than in the corner
    const [top, left] = on ? [on.top, on.left] : there, room = blocks.roomy(sheet, block, [top, left], blank, kind)
    this.hand.choose("select")
    this.put({ block, under: room }, blocks.stamped(room, block, [top, left], kind), { top, left, height: block.length, width: block[0].length })
    const cut = top + block.length > room.rows.length || left + block[0].length > room.rows[0].length
    toast(`Pasted at row ${top + 1}, column ${left + 1}${cut ? ". Not all of it has room on the board" : on && !kind.signs ? ". For a whole level in its place, press Escape first" : ""}`)
    return true
  }
}
