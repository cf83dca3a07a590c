// Changes of the open document, level by level: new, duplicated, removed, moved, and what is said about them. Undo takes each back.

import { byId, html, toast } from "../app/html.js"
import { folded, merging, textOf } from "./document.js"

// What is typed into a field just now stays, unless another level is shown.
function write(field, value, isOther) {
  if (isOther || document.activeElement !== field || field.value === field.written) {
    field.value = value
    value = field.value
  }
  field.written = value
}

const TITLES = { up: "Move up (Alt+Shift+PageUp); levels can also be dragged", down: "Move down (Alt+Shift+PageDown); levels can also be dragged" }

export class Levels {
  constructor(files) {
    this.files = files
    byId("insert").onclick = () => this.insert()
    byId("duplicate").onclick = () => this.duplicate()
    byId("remove").onclick = () => this.remove()
    byId("up").onclick = () => this.shift(-1)
    byId("down").onclick = () => this.shift(1)
    this.fields = ["title", "author", "comment", "header"].map(name => byId(`level-${name}`))
    for (const field of this.fields) field.onchange = () => this.take(field)
    byId("about-level").ontoggle = () => this.show()
  }

  get keys() { return this.files.document.of.levels.map(level => level.key) }

  // What is said about the open level and its document.
  show() {
    const { document } = this.files, { of, locked } = document, level = of.levels[of.at]
    const isOther = this.shown?.key !== level.key
    this.shown = { document, key: level.key }
    for (const name of ["title", "author", "comment"]) {
      const place = byId(`level-${name}`)
      write(place, level[name] ?? "", isOther)
      place.disabled = Boolean(locked) || (of.shared && name !== "title")
    }
    const header = byId("level-header")
    write(header, of.header)
    header.disabled = Boolean(locked) || of.shared
    for (const name of ["insert", "duplicate", "remove", "up", "down"]) byId(name).disabled = Boolean(locked)
    const { inOrder } = this.files.list
    byId("up").disabled ||= of.at === 0 || !inOrder
    byId("down").disabled ||= of.at === of.levels.length - 1 || !inOrder
    for (const name of ["up", "down"]) byId(name).title = inOrder ? TITLES[name] : "Levels are moved where all are listed in order: without a filter, and sorted as they stand in the file"
  }

  // What is in the fields is taken. Returns whether none of it was refused.
  async taken() {
    this.renamed?.(true)
    return (await Promise.all(this.fields.map(field => this.take(field)))).every(Boolean)
  }

  async take(field) {
    const { value, written, id } = field, name = id.replace("level-", "")
    if (!this.shown || value === written) return true
    field.written = value
    const done = await (name === "header" ? this.header(value) : this.describe({ [name]: value }, this.shown))
    if (!done && field.written === value) field.written = written
    return Boolean(done)
  }

  // Levels of a text stand behind the open one, or at a place.
  put(text, { place, dropped = [], document = this.files.document } = {}) {
    return this.files.change(of => {
      const at = place ?? of.at + 1, keys = of.levels.map(level => level.key)
      return { changes: [{ change: "insert", at, text }], keys: [...keys.slice(0, at), undefined, ...keys.slice(at)], at, dropped }
    }, document)
  }

  // An empty level as large as the open one.
  insert() {
    const { document, now, page } = this.files
    return this.put(page.blank(document.puzzle, now.sheet) ?? this.own(now))
  }

  duplicate() { return this.put(this.own(this.files.now)) }

  // The text of the open level, in a game its own lines.
  own(now) {
    const of = folded(now)
    return textOf(of.levels[of.at])
  }

  async remove() {
    const gone = this.files.list.marked, { document } = this.files
    if (!gone.length) return
    const done = await this.files.change(of => ({
      changes: [{ change: "remove", levels: gone }],
      keys: of.levels.filter((_, at) => !gone.includes(at)).map(level => level.key),
      at: Math.min(gone[0], of.levels.length - gone.length - 1),
    }), document)
    if (done) toast(`${gone.length === 1 ? "Removed" : `${gone.length} levels removed`}; Undo brings ${gone.length === 1 ? "it" : "them"} back`)
  }

  // Levels have their first at the place `to` afterwards.
  move(moved, to) {
    return this.files.change(of => {
      const rest = of.levels.filter((_, at) => !moved.includes(at)), levels = moved.map(at => of.levels[at])
      const order = [...rest.slice(0, to), ...levels, ...rest.slice(to)], open = of.levels[of.at]
      return { changes: [{ change: "move", levels: moved, to }], keys: order.map(level => level.key), at: order.indexOf(open) }
    })
  }

  shift(by) {
    const moved = this.files.list.marked, { length } = this.files.document.of.levels
    if (!moved.length || !this.files.list.inOrder) return  // keys come here past the buttons
    const to = moved[0] + by
    if (to < 0 || to > length - moved.length) return
    return this.move(moved, to)
  }

  // Another title, author or comment of a level.
  describe(said, { document, key }) {
    return this.files.change(of => {
      const at = of.levels.findIndex(level => level.key === key)
      if (at < 0) return null  // it was removed meanwhile
      const { changes, merged } = merging(of), [own] = changes.filter(each => each.at === at)
      return {
        changes: [...(own ? [own] : []), { change: "describe", at, ...said }],
        keys: of.levels.map(level => level.key), at: of.at, merged: own ? new Map([[key, merged.get(key)]]) : new Map(),
      }
    }, document)
  }

  header(text) {
    return this.files.change(of => ({ changes: [{ change: "header", text }], keys: of.levels.map(level => level.key), at: of.at }))
  }

  // The title of the open level is written in the list.
  rename() {
    const row = this.files.list.open, name = row?.element.children[1]
    if (!name) return
    const field = html("input", { class: "rename", "aria-label": "Title", value: row.level.title, onkeydown: event => {
      if (!event.ctrlKey && !event.metaKey) event.stopPropagation()
      if (event.key === "Enter") field.blur()
      else if (event.key === "Escape") done(false)
    }, onblur: () => done(true) })
    const done = kept => {
      if (this.renamed !== done) return  // a field that goes loses the focus, too
      this.renamed = null
      const { value } = field
      field.replaceWith(row.element)
      row.element.focus({ preventScroll: true })
      this.files.list.arrange()
      if (kept && value !== row.level.title) this.describe({ title: value }, { document: row.document, key: row.level.key })
    }
    this.renamed = done
    row.element.replaceWith(field)
    field.focus()
    field.select()
  }

  // The level on the page becomes the last one of the list, and the open one is as it was.
  async add() {
    const { files } = this, { document } = files, text = this.own(files.now)
    const target = document.isNamed ? document : files.documents.findLast(each => each.puzzle === document.puzzle)
    if (!target && files.documents.length) return toast(`No file in the list has levels of ${document.puzzle}`)
    if (!target) return this.duplicate()
    if (!(await files.load(target))) return
    const { of } = target, dropped = target === document ? [of.levels[of.at].key] : []
    if (await this.put(text, { place: of.levels.length, dropped, document: target })) toast(`Added to ${target.title}`)
  }
}
