// Levels that are written as text: the editor, with the faults at their lines.

import { byId } from "../app/html.js"

let wanted = null  // the place that an editor shows that has not come yet
let editor = null, ofLevel = [], ofAll = []  // the faults of the level that is shown, and of all levels

// The editor with highlighting; the plain text area is there until it has come.
export async function edit(changed) {
  if (editor) return
  const made = await import("./editor.bundle.js")
  editor = made.editor(byId("editor"), changed)
}

export function write(text) {
  if (!editor) return
  editor.text = text
  if (wanted) editor.show(wanted, false)
  wanted = null
}
export const colours = on => { if (editor) editor.colours = on }
export const faults = found => mark(ofLevel = found)
export const faultsOfAll = found => mark(ofAll = found)
export const goTo = place => editor?.show(place)
// Scroll to a place (null: nowhere), unless the user writes; before the editor is there, once it comes.
export function reveal(place) {
  wanted = editor ? null : place
  if (editor && place && !editor.focused) editor.show(place, false)
}
export const ready = () => Boolean(editor)
export const isFocused = () => Boolean(editor?.focused)

// Is a text an edit of another one, not another thing? Then at least half of the different lines are in both.
export function akin(one, other) {
  const [lines, others] = [one, other].map(text => new Set(text.split("\n").filter(line => line.trim())))
  return 2 * [...others].filter(line => lines.has(line)).length >= Math.max(lines.size, others.size)
}

const mark = () => editor?.faults([...new Map([...ofLevel, ...ofAll].map(each => [JSON.stringify(each), each])).values()])
