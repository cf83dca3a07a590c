// The tools to draw with: brushes, undo, and what changes the whole board.

import { byId, html, button, toast } from "../app/html.js"
import { swatch } from "./board.js"
import * as sheets from "./sheet.js"

// The button for another level, or for why there is none.
export function likeThis({ without }, editor) {
  const title = without ? `There is none: ${without}` : "A level like this one: as large, with as many pieces, and about as hard"
  return button("New like this", title, () => without ? toast(title) : editor.another(), { "aria-disabled": without ? "true" : null })
}

export function drawTools(kind, editor) {
  const blank = kind.brushes[0][0], wall = kind.brushes.find(([, name]) => name === "wall")?.[0] ?? ""
  const brushes = kind.brushes.filter(([, , key]) => key).map(([sign, name, key, shapes]) =>
    html("button", {
      class: "brush", role: "radio", "data-sign": sign, "aria-checked": "false", "aria-label": name,
      title: `Paint ${name} (${key.toUpperCase()})`, onclick: () => editor.choose(sign),
    }, swatch(shapes), html("span", {}, name), html("kbd", {}, key.toUpperCase())))
  const undo = button("↶", "Undo (Ctrl+Z)", () => editor.undo(), { id: "undo", "aria-label": "Undo" })
  const redo = button("↷", "Redo (Ctrl+Y)", () => editor.redo(), { id: "redo", "aria-label": "Redo" })
  const change = make => () => editor.edit(make(editor.sheet)), renew = make => () => editor.fresh(make(editor.sheet))
  const edge = (name, side) => [html("span", {}, name), html("div", {},
    button("+", `A line more: ${name}`, change(s => sheets.resize(s, side, 1, blank, kind.sized)), { "aria-label": `${name}: one more` }),
    button("−", `A line less: ${name}`, change(s => sheets.resize(s, side, -1, blank, kind.sized)), { "aria-label": `${name}: one less` }))]
  const menu = html("details", { class: "menu" }, html("summary", { title: "Size, shift, rotate, mirror, clear" }, "Board ▾"), html("div", {},
    edge("top", "top"), edge("bottom", "bottom"), edge("left", "left"), edge("right", "right"),
    html("span", {}, "shift"), html("div", {},
      button("←", "Shift left", change(s => sheets.shift(s, 0, -1))), button("↑", "Shift up", change(s => sheets.shift(s, -1, 0))),
      button("↓", "Shift down", change(s => sheets.shift(s, 1, 0))), button("→", "Shift right", change(s => sheets.shift(s, 0, 1)))),
    html("span", {}, "turn"), html("div", {},
      button("⟳", "Rotate by a quarter", change(sheets.rotate)), button("⇋", "Mirror", change(sheets.mirror))),
    html("span", {}, "all"), html("div", {}, button("Clear", "Clear the board", renew(s => sheets.clear(s, blank))),
      wall && button("Room", "Clear the board, and put walls around it", renew(s => sheets.room(s, blank, wall))))))
  document.addEventListener("pointerdown", event => { if (!menu.contains(event.target)) menu.open = false })
  byId("tools").replaceChildren(undo, redo, menu, likeThis(kind, editor), html("div", { class: "brushes", role: "radiogroup", "aria-label": "Brush" }, ...brushes))
}
