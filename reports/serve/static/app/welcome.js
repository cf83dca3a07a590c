// The text of the first visit: it goes away after the first stroke, or by its button.

import { byId } from "./html.js"

const KEPT = "puzzlemc:seen"

export function welcome() {
  byId("understood").onclick = done
  try { byId("welcome").hidden = localStorage.getItem(KEPT) === "yes" } catch { /* private windows may refuse */ }
}

export function done() {
  if (byId("welcome").hidden) return
  byId("welcome").hidden = true
  try { localStorage.setItem(KEPT, "yes") } catch { /* private windows may refuse */ }
}
