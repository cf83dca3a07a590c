// Files: a new level, one from a file, and the level as a file. What is not saved yet has a dot, and the browser keeps it.

import { byId, html, button, toast } from "../app/html.js"
import { beside, current, levelAt, mark, onPage, rename, save as saveBack, saved, withLevel } from "./shelf.js"
import { MOST } from "../draw/sheet.js"

const TITLE = /^title:?\s+(.+)$/im
const MOST_TEXT = 100000  // characters of a file, as the server reads them
// Where the changes of a level are kept: a level keeps its text when it is moved, and a game has one text for all its levels.
const draft = ({ id, was, local }) => `puzzlemc:draft:${local || !was ? id : `${id.replace(/#\d+$/, "")}:${was}`}`

// `about` are the puzzles, `now()` is the level on the page; `take(puzzle, text)` shows a text and returns its
// levels, `list(levels)` shows a list of levels and the first one of it, `begin(puzzle, rows, columns)` shows an empty level, `saved()` is called after a file was written, `shown(level)` shows a level of the list.
export class Files {
  constructor({ about, now, take, list, begin, saved, shown }) {
    Object.assign(this, { about, now, take, list, begin, saved, shown, book: null, base: "", name: "", handle: null })
    this.chooser = html("input", { type: "file", hidden: true, tabindex: -1, "aria-hidden": "true", onchange: async () => {
      const [chosen] = this.chooser.files
      this.chooser.value = ""
      if (chosen) await this.read(chosen)
    } })
    const item = (words, key, title, act) => html("button", { title: key ? `${title} (${key})` : title, onclick: () => { this.menu.open = false; act() } }, html("span", {}, words), html("kbd", {}, key))
    this.menu = byId("file")
    this.menu.lastElementChild.replaceChildren(
      item("New…", "Alt+N", "A new level: choose its puzzle and its size", () => this.ask()),
      item("Open…", "Ctrl+O", "Open a level from a file; a file can also be dropped on the page", () => this.open()),
      item("Save", "Ctrl+S", "Write the level to its file; without one, to a new file", () => this.save()),
      item("Add to the list", "Alt+S", "Write the level as a new one to the end of the file of the open level", () => this.add()),
      item("Copy as text", "Ctrl+C", "Copy the level as text", () => byId("copy").click()),
      item("Copy link", "", "Copy the address: the link is the level", () => byId("link").click()),
      item("Download", "Ctrl+Shift+S", "Download the level as a new file", () => this.download()),
      this.chooser)
    this.dialog()
    this.listen()
  }

  // The level on the page is that of a file, or of nothing: what differs from it is not saved.
  opened(name = "", handle = null) {
    Object.assign(this, { name, handle, base: this.now().text })
    this.show()
  }

  // The text that a draft changed; undefined without one. `level` is one of the collection.
  draft(level) {
    try {
      const { base, text } = JSON.parse(localStorage.getItem(draft(level)) ?? "{}")
      if (base === level.text) return text
    } catch { /* private windows may refuse */ }
  }

  show() {
    const { text } = this.now(), unsaved = text !== this.base, level = levelAt(current())
    const name = level ? level.id.split("/").pop() : this.name
    byId("file-name").textContent = name
    byId("unsaved").style.visibility = unsaved ? "" : "hidden"  // its place stays, and so does the board
    this.menu.firstElementChild.title = unsaved ? "Not saved to a file yet; this browser keeps it. New, open, save, download" : "New, open, save, download"
    if (!level) return
    mark(current(), unsaved)
    try {
      if (unsaved) localStorage.setItem(draft(level), JSON.stringify({ base: level.text, text }))
      else localStorage.removeItem(draft(level))
    } catch { /* private windows may refuse */ }
  }

  async save() {
    await onPage()
    const { text } = this.now()
    if (levelAt(current())?.local) return this.saveLocal(levelAt(current()), text)
    const kept = levelAt(current()) && draft(levelAt(current()))
    if (current() >= 0) return saveBack(text, failed => {
      if (!failed) {
        this.base = text
        try { localStorage.removeItem(kept) } catch { /* private windows may refuse */ }
      }
      this.show()
      this.saved()
    }, this.shown)
    if (!this.handle && globalThis.showSaveFilePicker) {
      try {
        this.handle = await showSaveFilePicker({ suggestedName: this.suggested() })
      } catch (error) {
        if (error.name === "AbortError") return
      }
    }
    if (!this.handle) return this.download()
    if (!(await written(this.handle, text))) return
    this.opened(this.handle.name, this.handle)
    toast(`Saved to ${this.name}`)
  }

  // The level on the page becomes the last one of the file; the open level stays as it is there.
  async add() {
    await onPage()
    const { puzzle, text } = this.now(), at = beside(puzzle), open = levelAt(current())
    if (at < 0) return toast(levelAt(0) ? `No file in the list has levels of ${puzzle}` : "There is no list: open a file of levels, or start puzzlemc serve with one")
    const level = levelAt(at).local ? await this.addLocal(puzzle, text) : await (await fetch(`add/${at}`, { method: "POST", body: text })).json()
    if (!level) return
    if (level.failed) return toast(level.failed)
    try {
      if (open) localStorage.removeItem(draft(open))
    } catch { /* private windows may refuse */ }
    await this.list(withLevel(level), level)
    toast(`Added to ${level.id.split("/").pop().replace(/#\d+$/, "")}`)
  }

  async addLocal(puzzle, text) {
    const { book } = this, kept = book.lines.join("\n").replace(/\n+$/, "").split("\n"), lines = [...kept, "", ...text.trimEnd().split("\n"), ""]
    if (book.handle ? !(await written(book.handle, lines.join("\n"))) : downloaded(book.name, lines.join("\n"))) return null
    const level = { title: "", line: kept.length + 2, text: text.trimEnd(), id: `${book.name}#${book.levels.length + 1}`, puzzle, local: true, found: null }
    book.lines = lines
    book.levels.push(level)
    return level
  }

  // The whole file of several levels, with this one in its place.
  async saveLocal(level, text) {
    const { book } = this, lines = [...book.lines], old = level.text.split("\n").length, made = text.split("\n")
    lines.splice(level.line - 1, old, ...made)
    if (book.handle ? !(await written(book.handle, lines.join("\n"))) : downloaded(book.name, lines.join("\n"))) return
    book.lines = lines
    for (const each of book.levels) if (each.line > level.line) each.line += made.length - old
    rename(current(), text.match(TITLE)?.[1] ?? level.title)
    saved(current(), text)
    this.base = text
    this.show()
    toast(book.handle ? `Saved to ${book.name}` : `Downloaded as ${book.name}, with all its levels`)
  }

  download() {
    const name = this.suggested()
    downloaded(name, this.now().text)
    if (current() < 0) this.opened(name, this.handle)
    toast(`Downloaded as ${name}`)
  }

  suggested() {
    const { suffix } = this.about[this.now().puzzle]
    return this.name.endsWith(suffix) ? this.name : `${titled(this.now().text)}${suffix}`
  }

  async open() {
    if (!globalThis.showOpenFilePicker) return this.chooser.click()
    try {
      const [handle] = await showOpenFilePicker()
      await this.read(await handle.getFile(), handle)
    } catch (error) {
      if (error.name !== "AbortError") this.chooser.click()
    }
  }

  async read(file, handle = null) {
    const text = file.size > 4 * MOST_TEXT ? "" : (await file.text()).replaceAll("\r\n", "\n")
    if (file.size > 4 * MOST_TEXT || text.length > MOST_TEXT) return toast(`The file is too long for the page: puzzlemc serve ${file.name} lists its levels`)
    const name = Object.keys(this.about).find(each => file.name.toLowerCase().endsWith(this.about[each].suffix))
    const found = await this.take(name ?? "", text)
    if (!found) return
    const { puzzle, parts } = found
    if (!parts.length) return this.opened(file.name, handle)
    const levels = parts.map((part, at) => ({ ...part, id: `${file.name}#${at + 1}`, puzzle, local: true, found: null }))
    this.book = { name: file.name, handle, lines: text.split("\n"), levels }
    await this.list(levels)
  }

  dialog() {
    const size = name => html("input", { type: "number", min: 1, max: MOST, required: true, "aria-label": name, title: `${name}, from 1 to ${MOST}` })
    const rows = size("Rows"), columns = size("Columns"), by = html("span", {}, "×")
    const sizes = html("span", { class: "row" }, rows, by, columns), label = html("label", {}, "Size, rows × columns")
    const puzzle = html("select", { "aria-label": "Puzzle of the new level", title: "Its puzzle", onchange: () => fit() }, Object.keys(this.about).map(name => html("option", { value: name }, name)))
    const hint = html("p", { class: "soft" })
    const fit = () => {
      const { sheet, sized, tiling } = this.about[puzzle.value]
      sizes.hidden = label.hidden = !sheet && !tiling
      by.hidden = columns.hidden = Boolean(sized || tiling)
      columns.disabled = columns.hidden || sizes.hidden
      rows.disabled = sizes.hidden
      label.textContent = columns.hidden ? "Size, rows" : "Size, rows × columns"
      rows.value = sheet?.rows.length ?? 3
      columns.value = sheet?.rows[0].length ?? ""
      hint.textContent = sizes.hidden ? "It begins with an example, to be changed." : ""
    }
    const box = html("dialog", { "aria-label": "New level" }, html("form", { method: "dialog", onsubmit: () => {
      this.begin(puzzle.value, Number(rows.value), Number(columns.value))
    } }, html("h2", {}, "New level"), html("label", {}, "Puzzle"), puzzle, label, sizes, hint,
    html("div", { class: "row" }, html("button", { title: "Begin (Enter)" }, "Create"), button("Cancel", "Keep the level that is there (Escape)", () => box.close(), { type: "button" }))))
    document.body.append(box)
    this.ask = () => {
      puzzle.value = this.now().puzzle
      fit()
      box.showModal()
    }
  }

  listen() {
    document.addEventListener("keydown", event => {
      const control = event.ctrlKey || event.metaKey, letter = event.key.toLowerCase()
      if (control && letter === "s") event.shiftKey ? this.download() : this.save()
      else if (control && letter === "o") this.open()
      else if (event.altKey && !control && event.code === "KeyN") this.ask()
      else if (event.altKey && !control && event.code === "KeyS") this.add()
      else return
      event.preventDefault()
    })
    document.addEventListener("dragover", event => event.preventDefault())
    document.addEventListener("drop", async event => {
      event.preventDefault()
      const [item] = event.dataTransfer.items, [file] = event.dataTransfer.files
      if (!file) return
      const handle = await item?.getAsFileSystemHandle?.().catch(() => null)
      await this.read(file, handle ?? null)
    })
  }
}

// A file name from the title in a text.
function titled(text) {
  const [, title = ""] = text.match(TITLE) ?? []
  return title.toLowerCase().match(/[\p{L}\p{N}]+/gu)?.join("-").slice(0, 60) ?? "level"
}

export function downloaded(name, text) {
  const href = URL.createObjectURL(new Blob([ended(text)], { type: "text/plain" }))
  html("a", { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 10000)
}

// Write a file that the browser has a handle of; says why that failed.
async function written(handle, text) {
  try {
    const file = await handle.createWritable()
    await file.write(ended(text))
    await file.close()
    return true
  } catch (error) {
    toast(`The file was not written: ${error.message}`)
    return false
  }
}

const ended = text => text.endsWith("\n") ? text : `${text}\n`
