// The place of the pointer, or of the cursor of the keyboard, by row and column from 1 as in messages; and numbers at the edges of the board.

import { byId } from "../app/html.js"
import { cellBelow, letter } from "./shapes.js"

const KEPT = "puzzlemc:numbers"
let more = ""  // words after the place

// `letters`: columns are named by letters.
export function say(at, letters = false) {
  const name = at && (letters ? `${letter(at[1])}${at[0] + 1}` : `row ${at[0] + 1}, column ${at[1] + 1}`)
  byId("at").textContent = name ? name + more : ""
}

// What is said after the place, such as the size of what is drawn.
export const sized = words => { more = words }

export function places() {
  const stage = byId("stage")
  stage.addEventListener("pointermove", event => {
    const svg = stage.querySelector("svg:not(.empty)")
    say(svg && cellBelow(svg, event), svg && "letters" in svg.dataset)
  })
  stage.addEventListener("pointerleave", () => say(null))
  const show = on => {
    document.documentElement.classList.toggle("numbered", on)
    byId("numbers").setAttribute("aria-pressed", String(on))
  }
  byId("numbers").onclick = () => {
    const on = !document.documentElement.classList.contains("numbered")
    show(on)
    try { localStorage.setItem(KEPT, on ? "yes" : "") } catch { /* private windows may refuse */ }
  }
  try { show(localStorage.getItem(KEPT) === "yes") } catch { /* private windows may refuse */ }
}
