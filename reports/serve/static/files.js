// Files: a new level, one from a file, and the level as a file. What is not saved yet has a dot, and the browser keeps it.

import { byId, html, button, toast } from "./html.js"
import { current, levelAt, mark, save as saveBack } from "./shelf.js"
import { MOST } from "./sheet.js"

const MOST_BYTES = 1e6
const draft = id => `puzzlemc:draft:${id}`

// `about` are the puzzles, `now()` is the level on the page; `take(puzzle, text)` shows a text and returns how many
// levels it has, `begin(puzzle, rows, columns)` shows an empty level, `saved()` is called after a file was written.
export class Files {
  constructor({ about, now, take, begin, saved }) {
    Object.assign(this, { about, now, take, begin, saved, base: "", name: "", handle: null })
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
      const { base, text } = JSON.parse(localStorage.getItem(draft(level.id)) ?? "{}")
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
      if (unsaved) localStorage.setItem(draft(level.id), JSON.stringify({ base: level.text, text }))
      else localStorage.removeItem(draft(level.id))
    } catch { /* private windows may refuse */ }
  }

  async save() {
    const { text } = this.now()
    if (current() >= 0) return saveBack(text, failed => {
      if (!failed) this.base = text
      this.show()
      this.saved()
    })
    if (!this.handle && globalThis.showSaveFilePicker) {
      try {
        this.handle = await showSaveFilePicker({ suggestedName: this.suggested() })
      } catch (error) {
        if (error.name === "AbortError") return
      }
    }
    if (!this.handle) return this.download()
    try {
      const file = await this.handle.createWritable()
      await file.write(ended(text))
      await file.close()
    } catch (error) {
      return toast(`The file was not written: ${error.message}`)
    }
    this.opened(this.handle.name, this.handle)
    toast(`Saved to ${this.name}`)
  }

  download() {
    const name = this.suggested()
    const href = URL.createObjectURL(new Blob([ended(this.now().text)], { type: "text/plain" }))
    html("a", { href, download: name }).click()
    setTimeout(() => URL.revokeObjectURL(href), 10000)
    if (current() < 0) this.opened(name, this.handle)
    toast(`Downloaded as ${name}`)
  }

  suggested() {
    const { suffix } = this.about[this.now().puzzle]
    return this.name.endsWith(suffix) ? this.name : `level${suffix}`
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
    if (file.size > MOST_BYTES) return toast("The file has more than 1 MB: puzzlemc serve FILE lists its levels")
    const name = Object.keys(this.about).find(each => file.name.toLowerCase().endsWith(this.about[each].suffix))
    const levels = await this.take(name ?? "", await file.text())
    if (!levels) return
    // To write one of several levels to the file would lose the others.
    if (levels > 1) toast(`The first of ${levels} levels of ${file.name}; puzzlemc serve ${file.name} lists all of them`)
    this.opened(levels > 1 ? "" : file.name, levels > 1 ? null : handle)
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
      else return
      event.preventDefault()
    })
    document.addEventListener("pointerdown", event => { if (!this.menu.contains(event.target)) this.menu.open = false })
    this.menu.addEventListener("keydown", event => {
      if (event.key !== "Escape") return
      this.menu.open = false
      this.menu.firstElementChild.focus()
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

const ended = text => text.endsWith("\n") ? text : `${text}\n`
