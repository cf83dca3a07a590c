// Light or dark: as the system has it, until the button is used.

import { byId } from "./html.js"

const KEPT = "puzzlemc:look"

export function look() {
  const { dataset } = document.documentElement
  try { dataset.look = localStorage.getItem(KEPT) ?? "" } catch { /* private windows may refuse */ }
  byId("look").onclick = () => {
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"
    dataset.look = (dataset.look || system) === "dark" ? "light" : "dark"
    try { localStorage.setItem(KEPT, dataset.look) } catch { /* private windows may refuse */ }
  }
}
