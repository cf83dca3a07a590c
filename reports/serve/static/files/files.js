// The documents of the page: the levels that are open, changed and saved. What is not saved yet has a dot, and the browser keeps it.

import { byId, toast } from "../app/html.js"
import { textOf as textOfSheet } from "../draw/sheet.js"
import { carried, different, Document, edit, folded, merging, openKey, post, single, state, textOf, withLevel } from "./document.js"
import { downloaded, Menu } from "./menu.js"
import { Drafts } from "./drafts.js"
import { Levels } from "./levels.js"
import { List } from "./list.js"
import { Outside } from "./outside.js"
import { reveal } from "./texts.js"
import { packed, write } from "./write.js"

const TITLE = /^(?:title:?|message)\s+(.+)$/im
const OPEN = "puzzlemc:open"  // in the session: the document and the level that is open

// `page` has `about` (the puzzles), `open(puzzle, text)` (the rows of a text, null without any), `display(document)` (its open
// level comes onto the page), `changed()` (the open level is another one), `blank(puzzle, sheet)` (an empty level as large).
export class Files {
  constructor(page) {
    Object.assign(this, { page, documents: [], document: null, turn: 0, opening: Promise.resolve(), before: Promise.resolve() })
    this.drafts = new Drafts()
    this.list = new List(this)
    this.levels = new Levels(this)
    this.menu = new Menu(this)
    this.outside = new Outside(this)
    addEventListener("pagehide", () => this.drafts.keep(this.document, true))
  }

  get now() { return this.document.history.now }

  // The documents of the server, then those that this browser has kept.
  async begin(listed) {
    await this.drafts.begin()
    this.documents = listed.map(({ name, puzzle, levels }, number) => new Document({ name, puzzle, number, stubs: levels }))
    for (const kept of await this.drafts.others(listed.map(each => each.name))) {
      const made = new Document(kept.draft.about)
      if (this.documents.some(each => made.name && each.name === made.name)) made.name = this.another(made.name)
      if (await this.restore(made, kept)) this.documents.push(made)
    }
    let open = null
    try { open = JSON.parse(sessionStorage.getItem(OPEN)) } catch { /* private windows may refuse */ }
    const found = this.documents.find(each => open && each.name === open.name)
    this.list.show()
    return { found, at: found ? open.at : this.documents[0]?.stubs[0]?.at ?? 0 }
  }

  // The text of a document of the server, with the changes that this browser has kept.
  load(document) {
    if (!document.loading && !document.isOpen) document.loading = this.loaded(document).finally(() => { document.loading = null })
    return document.loading ?? true
  }

  async loaded(document) {
    let found
    try {
      found = await (await fetch(`document/${document.number}`)).json()
    } catch {
      toast("The server does not answer")
      return false
    }
    Object.assign(document, { was: found.was, form: found.form, locked: found.locked })
    document.open(state(found))
    const kept = await this.drafts.read(document)
    if (kept && await this.restore(document, kept)) toast("Your changes are restored; Undo removes them")
    this.list.show()
    return true
  }

  // Put the changes that were kept into a document.
  async restore(document, { key, draft: kept }) {
    const found = await edit(document.puzzle, kept.text)
    if (found.failed) return false
    const levels = document.isOpen && kept.text === document.of.text ? document.of.levels.map(each => each.key) : []
    let of = state(found, kept.at, levels)
    for (const [at, mine] of kept.mine) if (of.levels[at]) of = withLevel(of, at, { mine })
    if (!document.isOpen) document.open(of)
    else document.history.put({ of, sheet: null, text: of.shared ? of.text : textOf(of.levels[of.at]), unread: true })
    Object.assign(document, { saved: kept.saved, was: kept.was, form: kept.form })
    if (kept.texts) document.texts = new Set(kept.texts)
    this.drafts.take(document, key)
    return true
  }

  // A level comes onto the page. `push`: this is a change of the document, which can be undone.
  show(document, of, { push = false, ...gone } = {}) {
    return this.opening = this.showing(document, of, push, gone)
  }

  async showing(document, of, push, gone) {
    const turn = ++this.turn, level = of.levels[of.at], text = of.shared ? of.text : textOf(level)
    this.list.choose(document, of.at)
    const found = of.shared ? null : await this.page.open(document.puzzle, text)
    if (found?.failed) {
      if (this.document) this.list.choose(this.document, this.document.of.at)
      return void toast(found.failed)
    }
    const sheet = found?.sheet ?? null, shown = sheet ? textOfSheet(sheet, this.page.about[document.puzzle]) : text
    const kept = of.shared ? of : carried(of, folded(document.history.now), gone)
    const mine = kept.levels[kept.at]?.mine
    const value = { sheet, text: shown, of: of.shared ? of : withLevel(kept, kept.at, mine === undefined ? { seen: shown, plain: shown } : { seen: shown }) }
    if (push) document.history.put(value)
    else if (turn === this.turn) document.history.now = value
    if (turn !== this.turn) return
    const isFirst = document !== this.document && !kept.at  // a game that is opened begins with its first line
    this.leave(document)
    this.document = document
    try { sessionStorage.setItem(OPEN, document.isNamed ? JSON.stringify({ name: document.name, at: kept.at }) : "null") } catch { /* private windows may refuse */ }
    this.list.show()
    this.page.display(document)
    this.list.choose(document, kept.at)
    this.levels.show()
    if (!isFirst) this.reveal()
    this.outside.look()
  }

  // The source of a game shows the lines of the open level.
  reveal() {
    const { of } = this.document, line = of.shared && of.levels[of.at]?.line
    reveal(line ? { line } : null)
  }

  // Another document comes: what is on the page is kept.
  leave(next) {
    const { document } = this
    if (!document || document === next) return
    document.history.now = { ...document.history.now, of: folded(document.history.now) }
    this.drafts.keep(document, true)
  }

  // A level of the list comes onto the page, after the changes that were made before; the last one that was chosen, if there are several.
  choose(document, at) {
    const key = document?.isOpen && document.of.levels[at]?.key
    this.waits = null
    if (document?.isOpen) this.list.choose(document, at)
    const turn = this.waits = this.chosen = this.inTurn(async () => {
      if (turn !== this.chosen) return
      this.waits = null
      await this.choosing(document, at, key)
    })
    return turn
  }

  async choosing(document, at, key) {
    if (!document) return
    const of = (await this.load(document)) ? folded(document.history.now) : null
    const place = key ? of.levels.findIndex(level => level.key === key) : at
    if (of?.levels[place]) await this.show(document, { ...of, at: place })
    else if (this.document) this.list.choose(this.document, this.document.of.at)
  }

  // The level `by` places behind the open one in the list; false without one.
  async step(by) {
    const next = this.list.beside(by)
    if (next) await this.choose(next.document, next.at)
    return Boolean(next)
  }

  // A text that is in no file. Returns its document.
  scratch(puzzle, value, level = 0) {
    const { about } = this.page, shared = Boolean(about[puzzle].signs)
    const of = { ...single(value.text, shared), at: 0, first: shared ? level : undefined }
    const document = new Document({ puzzle }, of)
    document.history.now = { ...value, of: withLevel(of, 0, { seen: value.text, plain: value.text }) }
    this.turn++
    this.leave(document)
    this.document = document
    try { sessionStorage.removeItem(OPEN) } catch { /* private windows may refuse */ }
    this.list.show()
    this.page.display(document, level)
    this.outside.show()
    return document
  }

  // Is this level the open one?
  isAt({ document, key }) { return document === this.document && openKey(document.history.now) === key }

  // A level that is not open any more has this text.
  write({ document, key }, text) {
    const { history } = document, { now } = history, of = folded(now), at = of.levels.findIndex(level => level.key === key)
    if (of.shared) history.put({ ...now, text })
    else if (at >= 0) history.put({ ...now, of: withLevel(of, at, { mine: text }) })
    this.drafts.keep(document, true)
    this.list.show()
  }

  // Another level of the open game is shown.
  at(at) {
    const { document } = this, { now } = document.history
    if (!now.of.shared || at === now.of.at || at >= now.of.levels.length) return
    document.history.now = { ...now, of: { ...now.of, at } }
    this.list.choose(document, at)
    this.levels.show()
    this.reveal()
    this.name()
  }

  // Undo or redo: the level that this changes comes onto the page. A level that is on its way there comes first, for it becomes
  // the present of the history.
  back(redo) {
    return this.inTurn(async () => {
      await this.opening.catch(() => {})
      await this.goneBack(redo)
    })
  }

  async goneBack(redo) {
    const { document } = this, { history } = document, before = folded(history.now)
    if (!(redo ? history.redo() : history.undo())) return
    const of = folded(history.now), at = of.shared || !redo ? of.at : different(before, of)  // a level that was open when it was changed
    if (history.now.unread || (at >= 0 && at !== of.at) || of.levels[of.at]?.key !== before.levels[before.at]?.key) await this.show(document, { ...of, at: at < 0 ? of.at : at })
    else this.page.changed()
    this.list.show()
    this.levels.show()
  }

  // The open level, or the document, is another one.
  changed() {
    const { document } = this
    if (document.isNamed && !this.documents.includes(document)) {
      this.documents.push(document)
      this.list.show()
    }
    this.name()
    byId("unsaved").style.visibility = document.isChanged ? "" : "hidden"  // its place stays, and so does the board
    this.list.mark(document)
    this.drafts.keep(document)
    this.readAgain(document)
  }

  name() {
    const { isNamed, title, of } = this.document
    byId("file-name").textContent = isNamed ? `${title}${of.levels.length > 1 ? `#${of.at + 1}` : ""}` : ""
  }

  // The levels of a game whose text was edited, or came from elsewhere (`first` is the level to show), once it can be read.
  readAgain(document) {
    clearTimeout(this.reading)
    const { of, text } = document.history.now, isNew = of.first !== undefined
    if (of.shared && (of.text !== text || isNew)) this.reading = setTimeout(async () => {
      const found = await edit(document.puzzle, text), { now } = document.history
      if (found.failed || now.text !== text || found.levels.some(level => level.error)) return
      document.history.now = { ...now, of: state(found, now.of.first ?? now.of.at, now.of.levels.map(level => level.key)) }
      if (isNew && document === this.document && document.isNamed) this.documents.push(document)
      this.list.show()
      this.name()
      this.levels.show()
      if (now.of.first && document === this.document) this.reveal()
    }, isNew ? 0 : 300)
  }

  // One change waits for the one before it, and for what is in a field.
  inTurn(change) {
    this.levels.taken()
    return this.before = this.before.catch(() => {}).then(change)
  }

  // All that was chosen and changed before is on the page.
  ready() { return this.inTurn(() => this.opening.catch(() => {})) }

  // Change the text of a document: `make(of)` has, unless it is null, the `changes`, the `keys` of the levels afterwards (null: a new one), and
  // the place `at` of the level to show. The changes of levels that are not in the text are kept.
  change(make, document = this.document) {
    return this.inTurn(async () => {
      await this.opening.catch(() => {})
      for (;;) {
        const of = folded(document.history.now), made = make(of)
        if (!made) return
        const { changes, keys, at, ...gone } = made
        if (document.locked) return void toast(document.locked)
        const found = await edit(document.puzzle, of.text, changes)
        if (found.failed) return void toast(found.failed)
        const now = folded(document.history.now)
        if (now.text !== of.text || now.levels.some((level, place) => level.key !== of.levels[place]?.key)) continue
        const after = state(found, at, keys)
        await this.show(document, of.shared ? after : carried(after, now, gone), { push: true, ...gone })
        return true
      }
    })
  }

  async save() {
    const { document } = this
    if (!(await this.levels.taken())) return false  // it is said why
    await Promise.all([this.typing, this.opening.catch(() => {})])
    return this.inTurn(() => this.saving(document))
  }

  async saving(document) {
    const of = folded(document.history.now), { found, merged, refused } = await this.merged(document, of)
    const done = await write(document, found.text, this.suggested(document))
    if (!done) return false
    if (done.theirs !== undefined) {
      await this.outside.differs(document, done.theirs)
      this.outside.insist()
      return false
    }
    const now = folded(document.history.now)
    if (now.text === of.text || now.shared) {
      const after = now.shared ? now : { ...carried(found, now, { merged }), at: now.at }
      document.history.now = { ...document.history.now, of: after }
    }
    document.keep(found)
    this.changed()
    this.list.show()
    this.levels.show()
    toast(refused ? `${done.said}, but not ${refused}` : done.said)
    return true
  }

  // The text of a document with the changes of its levels. Those that its reader refuses stay changes of the page.
  async merged(document, of) {
    const { changes, merged } = merging(of), keys = of.levels.map(level => level.key)
    if (!changes.length) return { found: of, merged }
    const all = await edit(document.puzzle, of.text, changes)
    if (!all.failed) return { found: state(all, of.at, keys), merged }
    let found = of, refused = ""
    for (const change of changes) {
      const next = await edit(document.puzzle, found.text, [change])
      if (next.failed) {
        refused ||= `level ${change.at + 1}: ${next.failed}`
        merged.delete(keys[change.at])
      } else found = state(next, of.at, keys)
    }
    return { found, merged, refused }
  }

  async download() {
    const { document } = this, { found } = await this.merged(document, folded(document.history.now)), name = this.suggested(document)
    downloaded(name, await packed(document, found.text))
    if (!document.isNamed) {
      document.keep(found)
      document.history.now = { ...document.history.now, of: { ...found, levels: found.levels.map(level => ({ ...level, seen: document.history.now.text })) } }
      this.changed()
    }
    toast(`Downloaded as ${name}`)
  }

  // A file name for a document.
  suggested(document) {
    const { suffix } = this.page.about[document.puzzle]
    if (document.name) return document.title
    const [, title = ""] = document.history.now.text.match(TITLE) ?? []
    return `${title.toLowerCase().match(/[\p{L}\p{N}]+/gu)?.join("-").slice(0, 60) ?? "level"}${suffix}`
  }

  // A file that was opened on the page.
  async read(file, handle = null) {
    const bytes = await file.arrayBuffer(), found = await post(`open?name=${encodeURIComponent(file.name)}`, bytes)
    if (found.failed) return toast(found.failed)
    const { puzzle, form, was } = found
    const same = file.name && this.documents.find(each => each.number < 0 && each.name === file.name)
    const document = new Document({ name: file.name, puzzle, handle, form, was }, state(found))
    if (!file.name) Object.assign(document, { saved: "", texts: new Set() })  // a text that was pasted is in no file
    if (same && same.isChanged) document.name = this.another(file.name)
    else if (same) this.documents.splice(this.documents.indexOf(same), 1)
    this.documents.push(document)
    await this.show(document, document.of)
  }

  another(name) {
    for (let number = 2; ; number++) {
      const made = `${name} (${number})`
      if (!this.documents.some(each => each.name === made)) return made
    }
  }

  async close(document) {
    const next = this.documents.find(each => each !== document)
    if (document === this.document && next) await this.choose(next, next.isOpen ? next.of.at : next.stubs[0].at)
    if (document === this.document) return
    this.documents = this.documents.filter(each => each !== document)
    this.drafts.forget(document)
    this.list.show()
  }
}
