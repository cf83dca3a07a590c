// The menu of files, its keys, files that are dropped on the page, and the dialog for a new level.

import { button, byId, html } from "../app/html.js"
import { MOST } from "../draw/sheet.js"

export class Menu {
  constructor(files) {
    this.files = files
    this.chooser = html("input", { type: "file", hidden: true, tabindex: -1, "aria-hidden": "true", onchange: async () => {
      const [chosen] = this.chooser.files
      this.chooser.value = ""
      if (chosen) await files.read(chosen)
    } })
    const item = (words, key, title, act) => html("button", { title: key ? `${title} (${key})` : title, onclick: () => { this.menu.open = false; act() } }, html("span", {}, words), html("kbd", {}, key))
    this.menu = byId("file")
    this.menu.lastElementChild.replaceChildren(
      item("New…", "Alt+N", "A new level: choose its puzzle and its size", () => this.ask()),
      item("Open…", "Ctrl+O", "Open a file with levels; a file can also be dropped on the page", () => this.open()),
      item("Save", "Ctrl+S", "Write the document to its file; without one, to a new file", () => files.save()),
      item("Download", "Ctrl+Shift+S", "Download the document as a new file", () => files.download()),
      item("New in the list", "Alt+Enter", "An empty level as large as this one, behind it in the list", () => files.levels.insert()),
      item("Duplicate", "Alt+Shift+Enter", "This level once more, behind it in the list", () => files.levels.duplicate()),
      item("Add to the list", "Alt+S", "Make the level on the page the last one of the list; the open one is as it was", () => files.levels.add()),
      item("Copy as text", "Ctrl+C", "Copy the level as text; of a game, all of it", () => byId("copy").click()),
      item("Copy link", "", "Copy the address: the link is the level; of a game, all of it", () => byId("link").click()),
      this.chooser)
    byId("save").onclick = () => files.save()
    byId("previous").onclick = () => files.step(-1)
    byId("next").onclick = () => files.step(1)
    this.dialog()
    this.listen()
  }

  async open() {
    if (!globalThis.showOpenFilePicker) return this.chooser.click()
    try {
      const [handle] = await showOpenFilePicker()
      await this.files.read(await handle.getFile(), handle)
    } catch (error) {
      if (error.name !== "AbortError") this.chooser.click()
    }
  }

  dialog() {
    const { page } = this.files, { about } = page
    const size = name => html("input", { type: "number", min: 1, max: MOST, required: true, "aria-label": name, title: `${name}, from 1 to ${MOST}` })
    const rows = size("Rows"), columns = size("Columns"), by = html("span", {}, "×")
    const sizes = html("span", { class: "row" }, rows, by, columns), label = html("label", {}, "Size, rows × columns")
    const puzzle = html("select", { "aria-label": "Puzzle of the new level", title: "Its puzzle", onchange: () => fit() }, Object.keys(about).map(name => html("option", { value: name }, name)))
    const hint = html("p", { class: "soft" })
    const fit = () => {
      const { sheet, sized, tiling } = about[puzzle.value]
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
      page.begin(puzzle.value, Number(rows.value), Number(columns.value))
    } }, html("h2", {}, "New level"), html("label", {}, "Puzzle"), puzzle, label, sizes, hint,
    html("div", { class: "row" }, html("button", { title: "Begin (Enter)" }, "Create"), button("Cancel", "Keep the level that is there (Escape)", () => box.close(), { type: "button" }))))
    document.body.append(box)
    this.ask = () => {
      puzzle.value = this.files.document.puzzle
      fit()
      box.showModal()
    }
  }

  listen() {
    const { files } = this
    document.addEventListener("keydown", event => {
      const control = event.ctrlKey || event.metaKey, letter = event.key.toLowerCase(), step = event.altKey ? { PageUp: -1, PageDown: 1 }[event.key] : 0
      if (control && letter === "s") event.shiftKey ? files.download() : files.save()
      else if (control && letter === "o") this.open()
      else if (event.altKey && !control && event.code === "KeyN") this.ask()
      else if (event.altKey && !control && event.code === "KeyS") files.levels.add()
      else if (event.altKey && !control && event.key === "Enter") event.shiftKey ? files.levels.duplicate() : files.levels.insert()
      else if (step) event.shiftKey ? files.levels.shift(step) : files.step(step)
      else return
      event.preventDefault()
    })
    document.addEventListener("dragover", event => event.preventDefault())
    document.addEventListener("drop", async event => {
      event.preventDefault()
      const [item] = event.dataTransfer.items, [file] = event.dataTransfer.files
      if (!file) return
      const handle = await item?.getAsFileSystemHandle?.().catch(() => null)
      await files.read(file, handle ?? null)
    })
  }
}

export function downloaded(name, data) {
  const href = URL.createObjectURL(new Blob([data], { type: "text/plain" }))
  html("a", { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 10000)
}
