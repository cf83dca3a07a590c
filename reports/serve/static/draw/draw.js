// The tools to draw with: undo, tools, brushes, and what changes the whole board or the selected part of it.

import { byId, html, button, toast } from "../app/html.js"
import { element } from "../picture/shapes.js"
import { flipped, turned } from "./block.js"
import { swatch } from "./board.js"
import { chosen, TOOLS } from "./hand.js"
import * as sheets from "./sheet.js"

const WORDS = {
  paint: "Paint, cell by cell", line: "Line: drag from one end to the other", rectangle: "Rectangle: drag from corner to corner",
  fill: "Fill all connected cells that are alike", select: "Select a rectangle, to move, copy, cut and paste it",
}
const ICONS = {
  paint: "M4 20l1-5L16 4l4 4L9 19zM13.5 6.5l4 4", line: "M5 19L19 5", rectangle: "M4 6h16v12H4z", select: "M4 8V5h3M10 5h4M17 5h3v3M20 11v3M20 17v2h-3M14 19h-4M7 19H4v-2M4 14v-3",
  fill: "M5 11l7-7 7 7-7 7zM5 11h14M20 15c2 3 1 5 0 5s-2-2 0-5",
  "": "M12 3v18M8 7l-4 5 4 5M16 7l4 5-4 5", across: "M12 3v18M9 7H4v10h5M15 7h5v10h-5", down: "M3 12h18M7 9V4h10v5M7 15v5h10v-5", both: "M12 3v18M3 12h18M9 9H5V5h4zM15 9h4V5h-4zM9 15H5v4h4zM15 15h4v4h-4z",
}
const MIRRORED = { "": "off", across: "left and right", down: "top and bottom", both: "all four quarters" }

const icon = name => element("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, element("path", { d: ICONS[name] }))

// The button for another level, or for why there is none.
export function likeThis({ without }, editor) {
  const title = without ? `There is none: ${without}` : "A level like this one: as large, with as many pieces, and about as hard"
  return button("New like this", title, () => without ? toast(title) : editor.another(), { "aria-disabled": without ? "true" : null })
}

// Show whether there is anything to undo and to redo.
export function steps({ past, future }) {
  for (const [name, values] of [["undo", past], ["redo", future]]) if (byId(name)) byId(name).disabled = !values.length
}

// `hand` is what draws on the board.
export function drawTools(kind, editor, hand) {
  const { svg } = hand.board
  // After a click, keys are for the board again.
  const then = act => event => {
    act(event)
    if (event.detail) svg.focus({ preventScroll: true })
  }
  const blank = kind.brushes[0][0], wall = kind.brushes.find(([, name]) => name === "wall")?.[0] ?? ""
  const brushes = kind.brushes.filter(([, , key]) => key).map(([sign, name, key, shapes]) =>
    html("button", {
      class: "brush", role: "radio", "data-sign": sign, "aria-label": name,
      title: `Paint ${name} (${kind.signs ? `${sign} in the text` : key.toUpperCase()})`, onclick: then(() => hand.pick(sign)),
    }, swatch(shapes), kind.signs ? html("span", {}, sign) : [html("span", {}, name), html("kbd", {}, key.toUpperCase())]))
  const tools = Object.entries(TOOLS).map(([tool, key]) => html("button", {
    class: "tool", role: "radio", "data-tool": tool, "aria-label": WORDS[tool].split(/[:, ]/)[0], title: `${WORDS[tool]} (Alt+${key.slice(3)})`, onclick: then(() => hand.choose(tool)),
  }, icon(tool)))
  const mirror = html("button", { class: "tool", id: "mirror", onclick: then(() => hand.mirror()) })
  const part = (words, title, act, more) => button(words, title, then(act), more)
  const parts = html("div", { class: "parts", role: "group", "aria-label": "Selected part" },
    part("Cut", "Cut the selected part (Ctrl+X)", () => hand.selection.take("cut")), part("Copy", "Copy the selected part as text (Ctrl+C)", () => hand.selection.take("copy"), { "aria-label": "Copy the selected part" }),
    part("Paste", "Paste rows of signs at the selected place (Ctrl+V)", () => hand.selection.give()), part("Fill", "Paint the selected part with the brush (Space)", () => hand.fill()),
    part("Erase", "Erase the selected part (Delete)", () => hand.fill(blank)),
    html("button", { title: "Turn the selected part by a quarter", "aria-label": "Turn the selected part", onclick: then(() => hand.selection.change(turned)) }, "⟳"),
    html("button", { title: "Mirror the selected part", "aria-label": "Mirror the selected part", onclick: then(() => hand.selection.change(flipped)) }, "⇋"))
  const undo = button("↶", "Undo (Ctrl+Z)", then(() => hand.cancel() || editor.undo()), { id: "undo", "aria-label": "Undo" })
  const redo = button("↷", "Redo (Ctrl+Y)", then(() => hand.cancel() || editor.redo()), { id: "redo", "aria-label": "Redo" })
  const change = make => () => editor.edit(make(editor.sheet)), renew = make => () => {
    menu.open = false
    editor.fresh(make(editor.sheet))
    svg.focus({ preventScroll: true })
  }
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
  hand.changed = () => {
    for (const each of brushes) each.setAttribute("aria-checked", String(each.dataset.sign === chosen.brush))
    for (const each of tools) each.setAttribute("aria-checked", String(each.dataset.tool === chosen.tool))
    mirror.setAttribute("aria-pressed", String(Boolean(chosen.mirror)))
    mirror.title = `Mirrored painting: ${MIRRORED[chosen.mirror]} (Alt+M)`
    mirror.setAttribute("aria-label", `Mirrored painting: ${MIRRORED[chosen.mirror]}`)
    mirror.replaceChildren(icon(chosen.mirror))
    parts.hidden = chosen.tool !== "select"
    for (const each of parts.children) each.disabled = !hand.selection.rectangle && each.textContent !== "Paste"
  }
  hand.changed()
  byId("tools").replaceChildren(undo, redo, html("div", { class: "tools", role: "radiogroup", "aria-label": "Tool" }, tools), mirror, menu, likeThis(kind, editor),
    html("div", { class: "brushes", role: "radiogroup", "aria-label": "Brush" }, brushes), parts)
  steps(editor.history)
}
