// Keys of what is drawn on: they are heard wherever no text field has the focus.

import { typing } from "../app/menus.js"

// The list of levels has keys of its own; letters, and what is copied and pasted, are for the board there, too.
const listed = ({ target, key }) => key && (key.length > 1 || key === " ") && target.closest?.("#shelf")

// Call `act(event)` for events of these names, of which the page hears no more if it returns true, until `svg` is gone.
export function heard(svg, names, act) {
  const ends = new AbortController()
  const hear = event => {
    if (!svg.isConnected) return ends.abort()
    if (typing(event) || listed(event) || !act(event)) return
    event.preventDefault()
    event.stopPropagation()
  }
  for (const name of names) document.addEventListener(name, hear, { signal: ends.signal, capture: true })
}

// Is the key for a button that has the focus?
export const presses = ({ key, target }) => (key === " " || key === "Enter") && Boolean(target.closest?.("button,summary,a"))
