// The collection: a list of levels with small pictures and verdicts, which come in one by one.

import { byId, html, toast } from "../app/html.js"
import { element, group } from "../picture/shapes.js"
import { brief } from "../app/words.js"
import { ask } from "../app/wire.js"

const RANK = { unsolvable: 0, error: 1, unknown: 2, solvable: 3 }
const OPEN = "puzzlemc:open"  // in the session: the level that is open
let levels = [], items = [], open = -1
let before = Promise.resolve()  // the change of the list that was asked for last
let opening = Promise.resolve()  // the open level comes onto the page

export const current = () => open
export const onPage = () => opening.catch(() => {})  // until then, the text on the page is that of another level
export const levelAt = at => levels[at] ?? null
// The text of a level of the list, as its file has it.
export const textAt = async at => levels[at].text ?? (await (await fetch(`level/${at}`)).json()).text
export const mark = (at, unsaved) => items[at].classList.toggle("unsaved", unsaved)

// The number of the level that is shown below the open one; -1 if there is none.
export function following() {
  let item = items[open]
  do item = item?.nextElementSibling; while (item?.hidden)
  return items.indexOf(item)
}

// A level of the list has another title.
export function rename(at, title) {
  levels[at].title = title
  items[at].children[1].textContent = title || levels[at].id.split("/").pop()
}

// What is on the page is no level of the list any more.
export function detach() {
  items[open]?.removeAttribute("aria-current")
  open = -1
  try { sessionStorage.removeItem(OPEN) } catch { /* private windows may refuse */ }
}

// The level of the list that the address holds, if it was opened before.
export const resume = () => {
  try { return levels.findIndex(level => level.id === sessionStorage.getItem(OPEN)) } catch { return -1 }
}

// `found` are the levels, `opened(level)` shows one, the one at `at` is open. Those of a file that was opened on the page are `local`: they have their texts.
export function shelve(found, opened, at = -1) {
  levels = found
  open = -1
  byId("shelf").hidden = !levels.length
  document.body.classList.toggle("has-shelf", levels.length > 0)
  if (!levels.length) return
  if (at < 0) byId("filter").value = ""
  const list = byId("levels")
  items = levels.map((level, at) => html("button", { class: "item", title: [level.title, level.id].filter(Boolean).join("\n"), onclick: () => choose(at, opened) },
    html("span", { class: "thumb" }), html("span", { class: "name" }, level.title || level.id.split("/").pop()), html("span", { class: "is" }, "…")))
  list.replaceChildren(...items)
  byId("filter").oninput = arrange
  byId("sort").onchange = arrange
  byId("previous").onclick = () => choose(open - 1, opened)
  byId("next").onclick = () => choose(open + 1, opened)
  byId("up").onclick = () => inTurn(() => change(-1, opened))
  byId("down").onclick = () => inTurn(() => change(1, opened))
  byId("remove").onclick = () => inTurn(() => change(0, opened))
  byId("back").onclick = () => inTurn(() => takeBack(opened))
  for (const name of ["up", "down", "remove", "back"]) byId(name).disabled = Boolean(levels[0].local)
  levels.forEach((level, at) => { if (level.found) drawn(at) })
  arrange()
  if (at >= 0) mine(at)
  look()
}

export async function choose(at, opened) {
  if (at < 0 || at >= levels.length) return
  const level = levels[at]
  if (!level.local) Object.assign(level, await (await fetch(`level/${at}`)).json())
  mine(at)
  await (opening = opened(level))
}

// The level at `at` is the open one.
function mine(at) {
  items[open]?.removeAttribute("aria-current")
  open = at
  items[at].setAttribute("aria-current", "true")
  items[at].scrollIntoView({ block: "nearest" })
  byId("previous").disabled = at === 0
  byId("next").disabled = at === levels.length - 1
  try { sessionStorage.setItem(OPEN, levels[at].id) } catch { /* private windows may refuse */ }
}

async function glance(at) {
  const list = levels, { local, puzzle, text } = levels[at]
  const answer = await (local ? fetch("glance", { method: "POST", body: JSON.stringify({ ask: "glance", n: 0, puzzle, text }) }) : fetch(`glance/${at}`))
  if (!answer.ok || list !== levels) return
  levels[at].found = await answer.json()
  if (levels[at].found.failed) toast(levels[at].found.failed)
  drawn(at)
}

// The picture and the verdict of a level in the list.
function drawn(at) {
  const { found } = levels[at], [thumb] = items[at].children
  if (found.picture) {
    const { width, height, board, pieces } = found.picture
    thumb.replaceChildren(element("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, group(board), group(pieces)))
  }
  const is = items[at].lastChild
  is.textContent = brief(found)
  is.className = `is ${{ solvable: "good", unsolvable: "bad" }[found.verdict] ?? "warn"}`
}

async function look() {
  const list = levels
  for (let at = 0; at < list.length; at++) {
    if (!list[at].found?.picture) await glance(at)
    if (list !== levels) return
    if (byId("sort").value !== "file" || byId("filter").value) arrange()
  }
}

function arrange() {
  const wanted = byId("filter").value.trim().toLowerCase(), by = byId("sort").value
  const text = at => `${levels[at].title} ${levels[at].id} ${levels[at].found ? brief(levels[at].found) : ""}`.toLowerCase()
  const key = {
    file: at => at,
    cost: at => levels[at].found?.cost ?? Infinity,
    verdict: at => RANK[levels[at].found?.verdict] ?? 9,
  }[by]
  const order = [...levels.keys()].sort((a, b) => (key(a) > key(b)) - (key(a) < key(b)) || a - b)
  order.forEach(at => { items[at].hidden = !text(at).includes(wanted) })
  byId("levels").replaceChildren(...order.map(at => items[at]))
}

// A level was saved with this text.
export function saved(at, text) {
  levels[at].text = text
  glance(at)
}

// The number of the level to whose file a new one of a puzzle is added: the open one, or the last one of the puzzle. -1 without one.
export const beside = puzzle => levels[open]?.puzzle === puzzle ? open : levels.findLastIndex(level => level.puzzle === puzzle)

// The levels with one more at their end.
export const withLevel = level => [...levels, level]

export function save(text, then, opened) {
  const at = open
  ask({ ask: "save", at, text, was: levels[at].was }, async answer => {
    if (answer.kind !== "saved") return
    toast(answer.failed || `Saved to ${answer.name}`)
    if (!answer.failed) {
      levels[at].was = answer.was
      if (answer.changed) await inTurn(async () => relist(await (await fetch("levels.json")).json(), opened, at))
      else saved(at, text)
    }
    then(answer.failed)
  })
}

// The list is another one. The level at `at` is open and stays as it is on the page; or it is opened (`anew`).
// A level is open at each moment: a key or a click in between would do nothing.
async function relist(found, opened, at, anew = false) {
  const now = Math.max(0, Math.min(at, found.length - 1))
  if (found.length) Object.assign(found[now], await (await fetch(`level/${now}`)).json())
  shelve(found, opened, now)
  if (anew && found.length) await (opening = opened(levels[now]))
}

// A change of the list waits for the one before it.
const inTurn = change => before = before.catch(() => {}).then(change)

// Move the open level up (-1) or down (1) in its file, or remove it (0).
async function change(by, opened) {
  const level = levels[open], at = open
  if (!level || level.local) return
  if (items[at].classList.contains("unsaved")) return toast("The level has changes that are not saved: save them first, or take them back")
  const answer = await (await fetch(`change/${at}`, { method: "POST", body: JSON.stringify({ was: level.was, by }) })).json()
  if (answer.failed) return toast(answer.failed)
  toast(by ? `Moved in ${answer.name}` : `Removed from ${answer.name}; ↶ File takes that back`)
  const id = level.id.replace(/\d+$/, number => Number(number) + by)
  if (!by) return relist(answer.levels, opened, at, true)
  await relist(answer.levels, opened, answer.levels.findIndex(each => each.id === id))
}

async function takeBack(opened) {
  const answer = await (await fetch("undo", { method: "POST" })).json()
  toast(answer.failed || `${answer.name} is as before the last change`)
  if (!answer.failed) await relist(answer.levels, opened, open, true)
}
