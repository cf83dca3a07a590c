// New levels like the one on the board, to choose from: what is asked of them, how many were tried, and their measures.

import { byId, html, button } from "../app/html.js"
import { counted, number, percent } from "../app/words.js"
import { ask, stop } from "../app/wire.js"
import { element, group } from "../picture/shapes.js"

const PAUSE = 350  // milliseconds after a change of a number
const FIELDS = ["rows", "columns", "objects", "cost", "changes"]
const wishes = new Map()  // by puzzles: what was asked for instead of what the level has

let dialog, fields, unique, said, cards, level, then, running, timer, tried = 0

// `level` has the puzzle, the text, the number of the level in it, its cost and the metric. `take(answer)` shows a level; `closed()` is called without one.
export function likes(of, { take, closed }) {
  if (!dialog) build()
  level = of
  then = { take, closed }
  dialog.querySelector("#cost-name").textContent = level.metric
  cards.replaceChildren()
  fill({})
  search()
  dialog.showModal()
}

const wish = () => wishes.get(level.puzzle) ?? {}

function build() {
  const field = (name, title) => html("input", { type: "number", min: 1, max: 1000, id: `like-${name}`, title, "aria-label": ["rows", "columns"].includes(name) ? title : null, oninput: () => changed(name) })
  fields = Object.fromEntries([field("rows", "Rows of the new levels"), field("columns", "Columns of the new levels"), field("objects", "How many of them"), field("cost", "The least cost of a solution; levels as near to it as are found come first. Empty: any"), field("changes", "How often a shortest solution turns to another piece, at least: more is harder. Empty: any")].map((each, at) => [FIELDS[at], each]))
  unique = html("input", { type: "checkbox", onchange: () => { keep("unique", unique.checked); search() } })
  said = html("p", { class: "soft", role: "status" })
  cards = html("div", { class: "cards" })
  const part = (name, words, ...inside) => html("label", { id: name }, words, ...inside)
  dialog = html("dialog", { class: "likes", "aria-label": "New like this", onclose: () => { clearTimeout(timer); if (then) then.closed() } },
    html("h2", { tabindex: -1, autofocus: true }, "New like this"),
    html("div", { class: "row wish" },
      part("like-size", "size ", fields.rows, html("span", { id: "like-by" }, " × ", fields.columns)),
      part("like-count", html("span", {}), " ", fields.objects),
      part("like-hard", html("span", { id: "cost-name" }), " ", fields.cost),
      part("like-turns", "at least ", fields.changes, " changes of piece"),
      html("label", { title: "Exactly one solution, or one set of pushes in whatever order, as the puzzle counts them" }, unique, " only one solution"),
      button("As the level", "Ask for what the level on the board has", () => { wishes.delete(level.puzzle); fill({}); search() }, { id: "like-own" })),
    said, cards,
    html("div", { class: "row" }, button("More", "Try others", () => search()), button("Stop", "Keep what is found", () => stop(), { id: "like-stop" }), button("Cancel", "Keep the level that is there (Escape)", () => dialog.close())))
  document.body.append(dialog)
}

// A number is kept at once and searched for after a pause: an earlier answer, or the end of the dialog, would lose it.
function changed(name) {
  clearTimeout(timer)
  if (!fields[name].validity.valid) return
  keep(name, fields[name].value ? Number(fields[name].value) : null)
  timer = setTimeout(search, PAUSE)
}

function keep(name, value) { wishes.set(level.puzzle, { ...wish(), [name]: value }) }

// What is asked for, in the fields; what the server says of the level where nothing is.
function fill({ rows = 0, columns = 0, objects = 0, square = false, what = "", changes = null }) {
  const own = wish(), shown = { rows: own.rows ?? rows, columns: own.columns ?? columns, objects: own.objects ?? objects, changes: own.changes, cost: "cost" in own ? own.cost : level.cost }
  byId("like-size").hidden = byId("like-count").hidden = !objects
  byId("like-turns").hidden = changes == null
  byId("like-by").hidden = square
  byId("like-hard").hidden = square
  byId("like-count").firstElementChild.textContent = what
  for (const name of FIELDS) if (document.activeElement !== fields[name]) fields[name].value = shown[name] ?? ""
  unique.checked = Boolean(own.unique)
  byId("like-own").disabled = !wishes.has(level.puzzle)
}

function search() {
  clearTimeout(timer)
  const { puzzle, text, level: at, cost } = level
  const seed = Math.floor(Math.random() * 1e9)
  running = true
  state(0)
  const { rows, columns, objects, changes, ...own } = wish()
  ask({ ask: "another", puzzle, text, level: at, cost, seed, rows: rows ?? 0, columns: columns ?? 0, objects: objects ?? 0, changes: changes ?? 0, ...own }, answer => {
    if (answer.kind === "another") hear(answer)
    else if (answer.kind === "done" && running) {
      running = false
      state(tried, answer.failed && sentence(answer.failed))
    }
  })
}

function hear(answer) {
  if (answer.done) running = false
  if (answer.wish) fill(answer.wish)
  if (answer.levels) cards.replaceChildren(...answer.levels.map(each => card(each, answer.counted)))
  else if (answer.failed) cards.replaceChildren()
  const { tried = 0, failed } = answer
  state(tried, failed && `${tried ? `Tried ${number(tried)}. ` : ""}${sentence(failed)}`)
}

const sentence = words => `${words[0].toUpperCase()}${words.slice(1)}.`

function state(count, words = "") {
  tried = count
  said.textContent = words || (running ? `Tried ${number(tried)}…` : `Tried ${number(tried)}: choose one.`)
  byId("like-stop").disabled = !running
}

function card(made, what) {
  const { width, height, board, pieces } = made.picture
  const measures = [
    made.changes == null ? "" : counted(made.changes, made.changes === 1 ? "change of piece" : "changes of piece"),
    made.sets === 1 && made.solutions !== 1 ? "one set of pushes" : made.solutions == null ? "" : made.solutions === 1 ? `one ${what.replace(/s$/, "")}` : `${number(made.solutions)} ${what}`,
    made.states == null ? "" : `${number(made.states)} positions${made.lost == null ? "" : `, ${percent(made.lost, 1)} lost`}`,
  ].filter(Boolean)
  const choose = () => {
    const { take } = then
    then = null
    dialog.close()
    take(made)
  }
  return html("button", { class: "card", title: "Draw this one", onclick: choose },
    element("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, group(board), group(pieces)),
    made.cost == null ? "" : html("b", {}, counted(made.cost, made.metric)), measures.map(words => html("span", {}, words)))
}
