// A file that has changed outside while its document is open: the page asks which one to keep.

import { button, byId, html, toast } from "../app/html.js"
import { edit, folded, post, state } from "./document.js"
import { content } from "./write.js"

const SECONDS = 3

export class Outside {
  constructor(files) {
    this.files = files
    this.place = byId("outside")
    this.dialog = html("dialog", { id: "difference", "aria-label": "What is different" })
    document.body.append(this.dialog)
    const look = () => { if (!document.hidden) this.look() }
    setInterval(look, 1000 * SECONDS)
    addEventListener("focus", look)
    document.addEventListener("visibilitychange", look)
  }

  // Has the file of the open document another content than the page knows?
  async look() {
    const open = this.files.document
    this.show()
    if (!open?.isOpen || open.locked || open.was == null || open.theirs !== undefined || this.looking) return
    this.looking = true
    try {
      const { was } = open
      const theirs = await this.changed(open)
      if (theirs !== undefined && was === open.was && this.files.document === open) await this.differs(open, theirs)
    } catch { /* the server has ended, or the file cannot be read now */ } finally {
      this.looking = false
    }
  }

  // The content of a file that has changed, null if it is gone, undefined if it is as it was.
  async changed({ number, handle, was }) {
    if (number < 0) {
      if (!handle?.getFile || !was) return undefined
      const theirs = await content(handle)
      return theirs?.was === was ? undefined : theirs
    }
    const answer = await fetch(`document/${number}/was`)
    if (!answer.ok) return undefined
    const now = await answer.json()
    if (now.failed !== undefined || now === was) return undefined
    if (now === "") return null
    const { text, form, was: theirs } = await (await fetch(`document/${number}`)).json()
    return theirs ? { text, form, was: theirs } : undefined
  }

  // The file has another content (null: it is gone). Without changes here, it is taken; undo leads back.
  async differs(open, theirs) {
    if (theirs && theirs.text === open.saved) return void Object.assign(open, { was: theirs.was, form: theirs.form })
    open.theirs = theirs
    if (theirs && !open.isChanged) return this.take(open, "has changed outside: its new content is here, Undo leads back")
    this.show()
  }

  show() {
    const open = this.files.document, { place } = this
    place.hidden = !open || open.theirs === undefined
    if (place.hidden || place.of === open.theirs) return
    place.of = open.theirs
    const gone = open.theirs === null
    place.replaceChildren(
      html("p", {}, html("b", {}, open.title), gone ? " is gone. Your text is kept here." : " has changed outside. Yours is kept here."),
      html("div", { class: "row" },
        button(gone ? "Write it again" : "Keep mine", gone ? "Write the file anew" : "Save what is on this page over the other content", () => this.mine(open)),
        gone ? "" : button("Take theirs", "Show the content of the file; Undo leads back to yours", () => this.take(open, "is as outside; Undo leads back to your text")),
        gone ? "" : button("Difference", "What is different: - theirs, + yours", () => this.difference(open))))
  }

  // Why nothing was saved, and where to choose.
  insist() {
    const { place } = this
    if (place.hidden) return
    place.firstChild.lastChild.textContent = place.of === null ? " is gone: nothing was saved." : " has changed outside: nothing was saved. Which text is to be kept?"
    place.focus()
  }

  settled(open) {
    open.theirs = undefined
    this.place.of = undefined
    if (this.dialog.open) this.dialog.close()
    this.show()
  }

  async mine(open) {
    const { theirs } = open
    open.was = theirs?.was ?? ""
    if (theirs) open.form = theirs.form
    this.settled(open)
    await this.files.save()
  }

  // The content of the file becomes that of the page, as a change that can be undone.
  async take(open, said) {
    const { theirs } = open, found = await edit(open.puzzle, theirs.text)
    if (found.failed) return toast(found.failed)
    Object.assign(open, { was: theirs.was, form: theirs.form })
    const now = folded(open.history.now), keys = new Map(now.levels.map(level => [level.text, level.key]))
    const of = state(found, now.at, found.levels.map(level => {
      const key = keys.get(level.text)
      keys.delete(level.text)
      return key
    }))
    await this.files.show(open, of, { push: true, dropped: of.levels.map(level => level.key) })
    open.keep(of)
    this.settled(open)
    this.files.changed()
    toast(`${open.title} ${said}`)
  }

  async difference(open) {
    const { found } = await this.files.merged(open, folded(open.history.now))
    const lines = await post("compare", { one: open.theirs.text, other: found.text })
    if (lines.failed) return toast(lines.failed)
    this.dialog.replaceChildren(
      html("h2", {}, `${open.title}: − in the file, + on this page`),
      html("pre", { tabindex: 0 }, lines.length ? lines.map(line => html("span", { class: { "+": "more", "-": "less", "@": "soft" }[line[0]] }, `${line}\n`)) : "Only line ends or the encoding are different."),
      html("div", { class: "row" }, button("Keep mine", "Save what is on this page over the other content", () => this.mine(open)),
        button("Take theirs", "Show the content of the file; Undo leads back to yours", () => this.take(open, "is as outside; Undo leads back to your text")),
        button("Close", "Decide later (Escape)", () => this.dialog.close())))
    this.dialog.showModal()
  }
}
