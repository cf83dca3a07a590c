// Two versions of the level, or two levels, side by side: their pictures, with the cells that differ, and what is known of both.

import { html, button } from "./html.js"
import { element, group } from "../picture/shapes.js"
import { openKey } from "../files/document.js"
import { difficulty, measures } from "./verdict.js"
import { ask, stop } from "./wire.js"
import { brief } from "./words.js"

const NAMES = ["Left", "Right"]
const MOST_VERSIONS = 30  // of the level

// Compare the level on the page with what it was before the last edit; without one, with another level of the list. Its earlier versions and all levels of the list can be chosen.
export function compareLevel({ puzzle, level, about, history: { past, now }, list, known, closed }) {
  const version = (name, text) => ({ name, puzzle, level, drawn: Boolean(about[puzzle].brushes), text: () => text })
  const before = past.filter(each => openKey(each) === openKey(now)).slice(-MOST_VERSIONS).reverse().map(({ text }, ago) => version(ago ? `${ago + 1} edits ago` : "before the last edit", text))
  const listed = list.order.map(row => ({ name: list.name(row), puzzle: row.document.puzzle, drawn: Boolean(about[row.document.puzzle].brushes), ...list.source(row) }))
  const other = before.length ? 1 : listed.length > 1 ? 1 + (list.order[0] === list.open ? 1 : 0) : 0
  compare([version("as it is now", now.text), ...before, ...listed], [other, 0], (side, text) => known.get(`${side.puzzle}\n${side.level}\n${text}`), closed)
}

// `sides` can be chosen: each has a name, a puzzle, the number of the level in its text, and `text()`, which may be a promise. `chosen` are the numbers of the two that are shown first.
// `known(side, text)` is what the page knows of one, if it does; `closed()` is called at the end.
function compare(sides, chosen, known, closed) {
  if (document.querySelector("dialog[open]")) return
  const shown = [null, null]  // the text and the answers of each side
  let asked = null  // the side that is judged now
  const choices = NAMES.map((name, at) => html("select", { "aria-label": name, title: `The level on the ${name.toLowerCase()}`, onchange: event => choose(at, Number(event.target.value)) },
    sides.map(({ name: words }, number) => html("option", { value: number, selected: number === chosen[at] }, words))))
  const pictures = NAMES.map(() => html("div", { class: "side" })), table = html("table"), state = html("p", { class: "soft", role: "status" })
  const stopping = button("Stop", "End the search: what is known so far stays here", () => stop(), { hidden: true })
  const dialog = html("dialog", { class: "compare", "aria-labelledby": "compare-head", onclose: () => {
    asked = null
    dialog.remove()
    closed()
  } },
  html("h2", { id: "compare-head" }, "Side by side"),
  html("div", { class: "sides" }, choices, pictures), table,
  html("div", { class: "row" }, state, stopping, html("span", { class: "space" }), button("Close", "Back to the level (Esc)", () => dialog.close())))

  async function choose(at, number) {
    const side = sides[number]
    chosen[at] = number
    shown[at] = null
    show()
    const text = await side.text(), there = known(side, text)
    const one = { side, text, found: { ...there }, judged: Boolean(there?.done), picture: there?.picture ? null : await pictureOf(side, text) }
    if (chosen[at] !== number) return
    shown[at] = one
    judge()
  }

  // Ask about a side that is not judged, unless one is asked about: a question ends the one before.
  function judge() {
    if (!shown.includes(asked)) asked = null
    const one = asked ?? shown.find(each => each && !each.judged)
    if (one && one !== asked && dialog.open) {
      asked = one
      ask({ ask: "judge", puzzle: one.side.puzzle, text: one.text, level: one.side.level }, answer => {
        if (one !== asked) return
        one.found[answer.kind] = answer
        if (answer.kind !== "done") return show()
        one.judged = true
        asked = null
        judge()
      })
    }
    show()
  }

  function show() {
    const drawn = shown.map(each => each?.found.picture?.picture ?? each?.picture ?? null), other = different(...drawn)
    pictures.forEach((place, at) => place.replaceChildren(drawn[at] ? picture(drawn[at], other) : ""))
    const columns = shown.map(each => each ? rows(each) : new Map()), names = new Set(columns.flatMap(each => [...each.keys()]))
    table.replaceChildren(...[...names].map(name => {
      const [one, two] = columns.map(each => each.get(name) ?? "")
      return html("tr", { class: one !== two && one && two ? "differs" : "" }, html("td", {}, one), html("th", { scope: "row" }, name), html("td", {}, two))
    }))
    stopping.hidden = !asked
    const marked = other.length === 1 ? "One cell differs." : `${other.length} cells differ.`
    state.textContent = asked ? `${NAMES[shown.indexOf(asked)]}: searching…` : drawn[0] && drawn[1] ? other.length ? marked : sameSize(...drawn) ? "The pictures are equal." : "The sizes differ." : ""
  }

  document.body.append(dialog)
  dialog.showModal()
  chosen.forEach((number, at) => choose(at, number))
}

// What is known of a side, by names.
function rows({ found: { verdict, faults, hard, numbers, why, done }, judged }) {
  const rest = [...measures(verdict && { ...verdict, seconds: null }, hard), ...difficulty(numbers)].map(([name, value]) => [[name].flat(Infinity).map(each => each?.textContent ?? each).filter(Boolean).join(": "), value])
  const words = faults ? "not a level" : verdict ? brief(verdict) : judged ? done?.failed || "stopped" : "…"
  return new Map([["verdict", words], ...(why ? [["why", why.words.replaceAll("`", "")]] : []), ...rest])
}

// The picture of a level that is drawn; the judgement of others comes with it.
async function pictureOf({ puzzle, drawn }, text) {
  if (!drawn) return null
  try {
    const answer = await fetch("glance", { method: "POST", body: JSON.stringify({ ask: "glance", n: 0, puzzle, text, solve: false }) })
    return answer.ok ? (await answer.json()).picture ?? null : null
  } catch { return null }  // the server has ended
}

const sameSize = (one, two) => one.width === two.width && one.height === two.height

// The shapes of a picture by the cells in which they begin.
function cells({ board, pieces }) {
  const found = new Map()
  for (const each of [...board, ...pieces]) {
    const [x, y] = each[0] === "p" ? [Math.min(...each[2].map(([left]) => left)), Math.min(...each[2].map(([, top]) => top))] : [each[2], each[3]]
    const key = `${Math.floor(y)} ${Math.floor(x)}`
    found.set(key, `${found.get(key) ?? ""}${JSON.stringify(each)}`)
  }
  return found
}

// The cells, as row and column, in which two pictures of one size differ.
function different(one, two) {
  if (!one || !two || !sameSize(one, two)) return []
  const [here, there] = [cells(one), cells(two)]
  return [...new Set([...here.keys(), ...there.keys()])].filter(key => here.get(key) !== there.get(key)).map(key => key.split(" ").map(Number))
}

function picture({ width, height, board, pieces }, marked) {
  const ring = ([y, x]) => element("rect", { class: "differs", x: x + .05, y: y + .05, width: .9, height: .9, rx: .12 })
  return element("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "The level" }, group(board), group(pieces), ...marked.map(ring))
}
