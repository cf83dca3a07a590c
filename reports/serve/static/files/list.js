// The list of all levels of the documents, with small pictures and verdicts, which come in one by one, those in sight first.

import { button, byId, html, toast } from "../app/html.js"
import { element, group } from "../picture/shapes.js"
import { brief } from "../app/words.js"
import { yours } from "../play/records.js"
import { folded, post, textOf } from "./document.js"
import { MOST_LISTED } from "./review.js"

const RANK = { unsolvable: 0, error: 1, unknown: 2, solvable: 3 }
const TITLE = /^title:?\s+(.+)$/im
const PATIENCE = 800  // after a stroke, until the picture in the list follows
const RING = 4  // pixels around an item, for its ring
const MOST_KNOWN = 5000  // verdicts, by the texts of their levels

export class List {
  constructor(files) {
    Object.assign(this, { files, rows: [], known: new Map(), chosen: new Set(), anchor: null, open: null, looking: false, inSight: new Set() })
    this.place = byId("levels")
    this.sight = new IntersectionObserver(seen => {
      for (const { target, isIntersecting } of seen) {
        if (!isIntersecting) this.inSight.delete(target.row)
        else this.inSight.add(target.row)
        if (isIntersecting && target.row) this.draw(target.row)
      }
      this.look()
    }, { root: null, rootMargin: "200px" })
    byId("filter").oninput = () => this.reorder()
    byId("sort").onchange = () => this.reorder()
    new ResizeObserver(() => { if (this.inSight.has(this.open)) this.bring(this.open.element) }).observe(this.place)
    this.place.addEventListener("keydown", event => this.press(event))
    this.place.addEventListener("dragover", event => this.over(event))
    this.place.addEventListener("dragleave", () => this.put(null))
    this.place.addEventListener("drop", event => this.drop(event))
  }

  // Rows for all levels that there are now; what a level had stays.
  show() {
    const { documents, document: open } = this.files, old = new Map(this.rows.map(row => [row.id, row])), rows = []
    for (const document of documents) {
      document.id ??= ++this.constructor.count
      const levels = document.isOpen ? document.of.levels : document.stubs
      for (const [place, level] of levels.entries()) {
        const at = document.isOpen ? place : level.at, id = `${document.id}:${document.isOpen ? level.key : `at ${at}`}`
        const row = old.get(id) ?? this.row(id)
        Object.assign(row, { document, level, at })
        if (level.found) row.found ??= level.found
        rows.push(row)
      }
    }
    const alone = documents.length === 1 && documents[0] === open && !documents[0].name && rows.length < 2
    byId("shelf").hidden = !rows.length || alone
    globalThis.document.body.classList.toggle("has-shelf", rows.length > 0 && !alone)
    for (const row of this.rows) if (!rows.includes(row)) this.sight.unobserve(row.element)
    this.rows = rows
    this.chosen = new Set([...this.chosen].filter(row => rows.includes(row)))
    for (const row of rows) this.write(row)
    this.arrange()
    if (open) this.choose(open, open.of.at)
  }

  static count = 0

  row(id) {
    const row = { id, found: null, drawn: null, element: null }
    row.element = html("button", {
      class: "item", draggable: "true", onclick: event => this.click(row, event), ondblclick: () => this.files.levels.rename(),
      ondragstart: event => { this.dragged = row; event.dataTransfer.effectAllowed = "move"; event.dataTransfer.setData("text/plain", textOf(row.level)) }, ondragend: () => { this.dragged = null; this.put(null) },
    }, html("span", { class: "thumb" }), html("span", { class: "name" }), html("span", { class: "is" }, "…"))
    row.element.row = row
    this.sight.observe(row.element)
    return row
  }

  // The text of the level of a row as it is now; of a game, all of it.
  text({ document, at, level }) {
    const { text, of } = document.history.now
    return of.shared || of.at === at ? text : textOf(level)
  }

  // The text of a level, once its document is read, and the number of the level in it.
  source(row) {
    const text = async () => (await this.files.load(row.document)) ? this.text({ ...row, level: row.document.of.levels[row.at] }) : ""
    return { text, level: row.document.of?.shared ? row.at : 0 }
  }

  key(row) { return row.document.isOpen ? `${row.document.puzzle}\n${row.document.of.shared ? row.at : 0}\n${this.text(row)}` : "" }

  name(row) {
    const own = row.level.mine?.match(TITLE)?.[1] ?? row.level.title
    if (own) return own
    const { length } = row.document.isOpen ? row.document.of.levels : row.document.stubs
    return length > 1 ? `Level ${row.at + 1}` : row.document.title
  }

  // The title and the verdict of a row.
  write(row) {
    const { element: item } = row, name = this.name(row)
    if (item.children[1].textContent !== name) item.children[1].textContent = name
    item.title = [row.level.title, `${row.document.name || row.document.title}#${row.at + 1}`].filter(Boolean).join("\n")
    const key = this.key(row), known = this.known.get(key)
    if (known) row.found = known
    if (row.found && (known || !row.key || row.document.of?.shared)) row.key = key
    this.take(row)
    this.draw(row)
    item.classList.toggle("unsaved", row.document.isOpen && !row.document.of.shared && row.document.isUnsaved(row.level))
    item.classList.toggle("chosen", this.chosen.has(row))
  }

  // The first levels of the open game are judged all at once: by another question.
  isJudged({ document, at }) { return document === this.files.document && document.of.shared && at < MOST_LISTED }

  // What that question has found about a row so far.
  take(row) {
    const item = this.isJudged(row) && this.files.page.judged(row.at, row.document.of.levels.length)
    if (!item) return
    const { found, picture, note, stale } = item
    Object.assign(row, { note, stale, waits: !found, found: { verdict: "", ...found, picture: picture ?? row.found?.picture } })
  }

  // It has found more.
  follow() {
    for (const row of this.rows.filter(row => this.isJudged(row))) {
      this.take(row)
      this.draw(row)
    }
    if (byId("sort").value !== "file" || byId("filter").value) this.arrange()
  }

  // The picture and the verdict of a row; a picture only where it is seen.
  draw(row) {
    const { found, element: item, note = "", waits, stale } = row
    if (!found) return
    const is = item.lastChild, mine = yours(found.level, found.metric), picture = found.picture
    const words = waits ? "…" : [`${brief(found)}${note}`, mine == null ? "" : mine === found.cost ? "✓" : `yours ${mine}`].filter(Boolean).join(" · ")
    if (is.textContent !== words) is.textContent = words
    is.title = note ? words : ""
    is.className = `is ${waits ? "" : { solvable: "good", unsolvable: "bad" }[found.verdict] ?? "warn"}`
    item.classList.toggle("changed", Boolean(note))
    item.classList.toggle("stale", Boolean(stale))
    if (!picture || row.drawn === picture || !this.inSight.has(row)) return
    row.drawn = picture
    const { width, height, board, pieces } = picture
    item.firstChild.replaceChildren(element("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, group(board), group(pieces)))
  }

  // The player has solved the open level.
  record() { if (this.open) this.draw(this.open) }

  // Has a document or one of its levels changes?
  mark(document) {
    clearTimeout(this.later)
    this.later = setTimeout(() => this.look(), PATIENCE)
    for (const row of this.rows) if (row.heading) row.heading.classList.toggle("unsaved", row.document.isChanged)
    const { of } = document.history.now, row = this.rows.find(each => each.document === document && each.at === of.at)
    if (!row) return
    row.element.classList.toggle("unsaved", of.shared ? document.isChanged : document.isUnsaved(folded(document.history.now).levels[of.at]))
  }

  // The level at `at` is the open one.
  choose(document, at) {
    if (this.files.waits) return  // another one is chosen, and comes next
    const row = this.rows.find(each => each.document === document && each.at === at) ?? null
    if (this.open && this.open !== row) this.open.element.removeAttribute("aria-current")
    const isNew = row && this.open !== row
    this.open = row
    for (const [name, by] of [["previous", -1], ["next", 1]]) byId(name).disabled = !this.beside(by)
    if (!row) return
    row.element.setAttribute("aria-current", "true")
    if (isNew) row.element.scrollIntoView({ block: "nearest" })
  }

  // Scroll the list, not the page, until an item that was in sight is so again: the list has less room.
  bring(item) {
    const { place } = this, box = item.getBoundingClientRect(), list = place.getBoundingClientRect()
    const beyond = (from, to) => Math.max(0, box[to] - list[to] + RING) || Math.min(0, box[from] - list[from] - RING)
    place.scrollBy(beyond("left", "right"), beyond("top", "bottom"))
  }

  // The row `by` places behind the open one, as they are listed now.
  beside(by) {
    const shown = this.order.filter(row => !row.element.hidden), at = shown.indexOf(this.open)
    return at < 0 ? null : shown[at + by] ?? null
  }

  order = []

  arrange() {
    const wanted = byId("filter").value.trim().toLowerCase(), by = byId("sort").value
    const text = row => `${this.name(row)} ${row.document.name}#${row.at + 1} ${row.found ? brief(row.found) : ""}`.toLowerCase()
    const key = {
      file: () => 0,
      cost: row => row.found?.cost ?? Infinity,
      states: row => row.found?.states ?? Infinity,
      verdict: row => RANK[row.found?.verdict] ?? 9,
    }[by]
    const places = new Map(this.rows.map((row, place) => [row, [key(row), place]]))
    this.order = by === "file" ? this.rows : [...this.rows].sort((one, other) => {
      const [a, b] = [places.get(one), places.get(other)]
      return (a[0] > b[0]) - (a[0] < b[0]) || a[1] - b[1]
    })
    const parts = [], several = new Set(this.rows.map(row => row.document)).size > 1
    let last = null
    for (const row of this.order) {
      row.element.hidden = Boolean(wanted) && !text(row).includes(wanted)
      row.heading = null
      const levels = row.document.isOpen ? row.document.of.levels : row.document.stubs
      if (by === "file" && several && row.document !== last && levels.length > 1 && !row.element.hidden) {
        row.heading = this.heading(row.document)
        parts.push(row.heading)
        last = row.document
      }
      parts.push(row.element)
    }
    if (this.place.querySelector(".rename")) return  // a title is written in the list: it comes in order after that
    const now = this.place.children
    if (parts.length !== now.length || parts.some((part, at) => part !== now[at])) {
      const { scrollTop, scrollLeft } = this.place, focused = globalThis.document.activeElement
      this.place.replaceChildren(...parts)
      Object.assign(this.place, { scrollTop, scrollLeft })
      if (focused?.row && this.place.contains(focused)) focused.focus({ preventScroll: true })
    }
    this.look()
  }

  // The name of a document above its levels; one that is in no file of the server can be closed.
  heading(document) {
    const close = document.number < 0 && button("✕", "Close the document: its levels leave the list", () => {
      if (!document.isChanged || document.isLeft) return this.files.close(document)
      document.isLeft = true
      toast(`${document.title} has changes that no file has: once more closes it`)
    }, { "aria-label": `Close ${document.title}` })
    return html("h2", { class: document.isChanged ? "document unsaved" : "document", title: document.name }, html("span", { class: "name" }, document.title), close)
  }

  // Ask for verdicts, one at a time.
  async look() {
    if (this.looking) return
    this.looking = true
    try {
      for (let row; (row = this.wanted()); ) await this.glance(row)
    } finally {
      this.looking = false
    }
  }

  // The row that is asked about next; the open level while it is drawn only after a while.
  wanted() {
    const seen = ({ found }) => found?.picture || found?.verdict === "error"  // a level with a fault has no picture
    const lacks = row => !row.failed && !this.isJudged(row) && (!seen(row) || (row.document.isOpen && !row.document.of.shared && row.key !== this.key(row)))
    return this.order.find(row => this.inSight.has(row) && lacks(row)) ?? this.order.find(lacks)
  }

  async glance(row) {
    if (!row.document.isOpen && !(await this.files.load(row.document))) return void (row.failed = true)
    if (!this.rows.includes(row)) return  // its document was read: it has another row
    const key = this.key(row), text = this.text(row)
    const found = await post("glance", { ask: "glance", n: 0, puzzle: row.document.puzzle, text, level: row.document.of.shared ? row.at : 0 })
    if (found.failed && !found.verdict) return void (row.failed = true)
    if (found.failed) toast(found.failed)
    this.known.set(key, found)
    if (this.known.size > MOST_KNOWN) this.known.delete(this.known.keys().next().value)
    if (this.key(row) !== key) return
    Object.assign(row, { found, key })
    this.draw(row)
    if (byId("sort").value !== "file" || byId("filter").value) this.arrange()
  }

  click(row, event) {
    const several = event.shiftKey || event.ctrlKey || event.metaKey
    if (!several) this.chosen.clear()
    else if (!this.chosen.size && this.open) this.chosen.add(this.open)
    if (event.shiftKey && this.open) {
      const [from, to] = [this.order.indexOf(this.open), this.order.indexOf(row)].sort((one, other) => one - other)
      for (const each of this.order.slice(from, to + 1)) if (each.document === row.document && !each.element.hidden) this.chosen.add(each)
    } else if (several) {
      if ([...this.chosen].some(each => each.document !== row.document)) this.chosen.clear()
      if (!this.chosen.delete(row)) this.chosen.add(row)
    }
    for (const each of this.rows) each.element.classList.toggle("chosen", this.chosen.has(each))
    if (!several) this.files.choose(row.document, row.at).then(() => { if (event.detail) row.element.focus({ preventScroll: true }) })  // keys of the list are for the level, letters choose brushes
  }

  // The levels that a change is about: those that are chosen, or the open one.
  // Are all levels listed in the order in which they stand in their files? Levels are moved only then.
  get inOrder() { return byId("sort").value === "file" && !byId("filter").value.trim() }

  reorder() {
    this.arrange()
    if (this.files.document) this.files.levels.show()
  }

  get marked() {
    const found = this.chosen.size ? [...this.chosen] : this.open ? [this.open] : []
    return found.filter(row => row.document === this.files.document).map(row => row.at).sort((one, other) => one - other)
  }

  press(event) {
    const { key } = event
    if (event.target.matches("input")) return
    if (key === "Delete") this.files.levels.remove()
    else if (key === "F2") this.files.levels.rename()
    else if (key === "ArrowDown" || key === "ArrowUp") this.files.step(key === "ArrowDown" ? 1 : -1).then(() => this.open?.element.focus({ preventScroll: true }))
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  // Where a level that is dragged would be put.
  over(event) {
    if (!this.dragged || !this.inOrder) return
    const item = event.target.closest?.(".item"), row = item?.row
    if (!row || row.document !== this.dragged.document || row.document !== this.files.document) return
    event.preventDefault()
    event.stopPropagation()
    this.put(row, this.isBehind(event, item))
  }

  isBehind(event, item) {
    const box = item.getBoundingClientRect(), flat = getComputedStyle(this.place).flexDirection === "row"
    return flat ? event.clientX > box.left + box.width / 2 : event.clientY > box.top + box.height / 2
  }

  put(row, behind) {
    for (const each of this.place.querySelectorAll(".before,.behind")) each.classList.remove("before", "behind")
    row?.element.classList.add(behind ? "behind" : "before")
  }

  drop(event) {
    const item = event.target.closest?.(".item"), row = item?.row, { dragged } = this
    if (!dragged) return
    event.preventDefault()
    event.stopPropagation()
    this.put(null)
    if (!row || row.document !== dragged.document || row.document !== this.files.document) return
    const moved = this.chosen.has(dragged) ? this.marked : [dragged.at], place = row.at + (this.isBehind(event, item) ? 1 : 0)
    this.files.levels.move(moved, place - moved.filter(at => at < place).length)
  }
}
