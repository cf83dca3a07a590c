// How long the question of the page has been searched, and the button that stops it.

import { byId, button, html } from "./html.js"
import { onBusy, stop } from "./wire.js"
import { seconds } from "./words.js"

const QUIET = 1000  // milliseconds of a search that are not mentioned

export function searching() {
  const place = byId("searching"), time = html("span")
  const stopping = button("Stop", "End the search: what is known so far stays here", () => {
    stopping.disabled = true
    stop()
  })
  place.replaceChildren(time, stopping)
  let began = 0, timer = null
  const show = () => {
    const passed = performance.now() - began
    place.hidden = passed < QUIET
    time.textContent = `Searching for ${seconds(passed / 1000)}`
  }
  onBusy(searched => {
    clearInterval(timer)
    timer = null
    stopping.disabled = false
    place.hidden = true
    if (!searched) return
    began = performance.now()
    timer = setInterval(show, QUIET)
  })
}
