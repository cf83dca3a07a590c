// The end of the server is said at once, with a button that connects again. Meanwhile the level is drawn on, and kept by the browser.
//
// A server that is started again has another token, so another address: its page, which has the same origin if the port is the same, tells it to the others.

import { byId, button, html, toast } from "./html.js"
import { connect, onStatus } from "./wire.js"

const ADDRESS = "puzzlemc:address"  // the path of the page that was opened last

// `again()` asks anew what the page waited for.
export function connection(again) {
  const place = byId("connection"), words = html("span"), more = html("span", { class: "soft" })
  place.replaceChildren(words, button("Connect again", "Try to reach the server now", () => retry()), more)
  let gone = false
  keep()
  onStatus(async there => {
    document.title = there ? "puzzlemc workbench" : "puzzlemc (no server)"
    if (!there) {
      if (!gone) say("none")
      gone = true
      return say(await reached())
    }
    if (!gone) return
    gone = false
    place.hidden = true
    toast("Connected again")
    again()
  })
  addEventListener("storage", event => { if (gone && event.key === ADDRESS) say("moved") })

  function say(state) {
    if (state !== "none" && !gone) return  // it is there again
    place.hidden = false
    words.textContent = { none: "The server has ended: your changes are kept here.", moved: "The server was started again: your changes are kept here.", full: "The server has too many open pages: your changes are kept here." }[state]
    more.textContent = { none: "puzzlemc serve starts it again.", moved: "If the button does not lead there, open the address that it has printed.", full: "Close some of them." }[state]
  }

  async function retry() {
    const other = moved()
    if (other && await answers(other)) return location.assign(other + location.hash)
    connect()
    if (gone) say(await reached())
  }
}

function keep() {
  try { localStorage.setItem(ADDRESS, location.pathname) } catch { /* private windows may refuse */ }
}

// The path of another page of this origin that was opened since; empty without one.
function moved() {
  try {
    const path = localStorage.getItem(ADDRESS) ?? ""
    return path === location.pathname || !/^\/[\w-]+\/$/.test(path) ? "" : path
  } catch { return "" }
}

async function answers(path) {
  try { return (await fetch(`${path}about.json`, { method: "HEAD" })).ok } catch { return false }
}

// Is there no server (none), another one (moved), or this one, which has no room for the page (full)?
async function reached() {
  try { return (await fetch("about.json")).ok ? "full" : "moved" } catch { return "none" }
}
