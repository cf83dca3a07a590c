// A document: a text with levels. Its history has each text that was, with the level that was open, so that strokes and changes of the list are undone in one order.

import { History } from "../draw/history.js"

// Ask the server: `text` and its levels after `changes`, or `failed`.
export async function post(path, what) {
  try {
    const answer = await fetch(path, { method: "POST", body: what instanceof Blob || what instanceof ArrayBuffer ? what : JSON.stringify(what) })
    return answer.ok ? await answer.json() : { failed: `the server answers ${answer.status}` }
  } catch {
    return { failed: "the server does not answer: your changes are kept here" }
  }
}

export const edit = (puzzle, text, changes = []) => post("edit", { puzzle, text, changes })

let next = 0
const key = () => ++next

// What a value of the history holds beside the open level: the text of the document without the changes of levels that
// are not in it yet, its levels, and the number of the open one. Of a level: `text` are its lines in the document,
// `mine` its text where that was changed, `seen` what the page shows when it is opened, `plain` that of the text without changes.
export const state = (found, at = 0, keys = []) => ({
  text: found.text, header: found.header, shared: found.shared, at: Math.max(0, Math.min(at, found.levels.length - 1)),
  levels: found.levels.map((level, place) => ({ ...level, key: keys[place] ?? key() })),
})

// A text of one level that is in no file.
export const single = (text, shared = false) => ({ text, header: "", shared, at: 0, levels: [{ key: key(), title: "", author: "", comment: "", error: "", line: 1, text }] })

// The key of the level that a value shows; of a game, all levels are one text.
export const openKey = ({ of }) => of.shared ? "" : of.levels[of.at]?.key

export const withLevel = (of, at, change) => ({ ...of, levels: of.levels.map((level, place) => place === at ? { ...level, ...change } : level) })

// What a value holds, with the text of the open level in its place.
export function folded({ of, text }) {
  if (of.shared) return of.text === text ? of : { ...of, text }
  const level = of.levels[of.at]
  if (!level || text === (level.seen ?? level.mine ?? level.text)) return of
  return withLevel(of, of.at, { mine: text === level.text || text === level.plain ? undefined : text, seen: text })
}

export const textOf = level => level.mine ?? level.text ?? ""

// Another state of the document, with the changes of the levels that both have, unless they are in it (`merged`: texts by
// key) or given up (`dropped`: keys).
export function carried(after, before, { merged = new Map(), dropped = [] } = {}) {
  const old = new Map(before.levels.map(level => [level.key, level]))
  return { ...after, levels: after.levels.map(level => {
    const was = old.get(level.key)
    if (!was || dropped.includes(level.key)) return level
    const { mine, seen, plain } = was
    if (mine !== undefined && merged.get(level.key) === mine) return { ...level, seen, plain: seen }
    if (was.text === level.text) return { ...level, mine, seen, plain }
    return mine === undefined ? level : { ...level, mine, seen }
  }) }
}

// The changes of levels, as changes of the text; and the texts by the keys of their levels.
export function merging(of) {
  const mine = of.shared ? [] : [...of.levels.entries()].filter(([, level]) => level.mine !== undefined)
  return { changes: mine.map(([at, level]) => ({ change: "replace", at, text: level.mine })), merged: new Map(mine.map(([, level]) => [level.key, level.mine])) }
}

// The number of the first level that two states have differently; -1 without one.
export function different(one, other) {
  const keys = new Map(one.levels.map((level, at) => [level.key, [at, textOf(level)]]))
  const found = other.levels.findIndex((level, at) => {
    const [place, text] = keys.get(level.key) ?? [-1, ""]
    return place !== at || text !== textOf(level)
  })
  return found >= 0 || one.levels.length === other.levels.length ? found : other.levels.length - 1
}

// A document of the page. `number` is that of the server, or -1; `handle` that of a file of the browser.
export class Document {
  constructor(about, of = null) {
    Object.assign(this, { name: "", sign: "", puzzle: "", number: -1, handle: null, form: {}, was: "", locked: "", stubs: [], theirs: undefined, loading: null }, about)
    if (of) this.open(of)
  }

  // The state is that of the file.
  open(of) {
    this.history = new History({ of, text: of.shared ? of.text : textOf(of.levels[of.at]), sheet: null })
    this.keep(of)
  }

  get isOpen() { return Boolean(this.history) }

  get of() { return this.history.now.of }

  // The file has this text.
  keep(of) {
    this.saved = of.text
    this.texts = new Set(of.levels.map(level => level.text))
  }

  // Is it anything that has to be kept? A level on the plain page is not: the address holds it.
  get isNamed() { return this.number >= 0 || Boolean(this.name) || (this.isOpen && this.of.levels.length > 1) }

  get isChanged() {
    if (!this.isOpen) return false
    const of = folded(this.history.now)
    return of.text !== this.saved || (!of.shared && of.levels.some(level => level.mine !== undefined))
  }

  // Has the file another text for a level?
  isUnsaved(level) { return level.mine !== undefined || !this.texts.has(level.text) }

  get title() { return this.name.split("/").pop() || (this.isOpen && this.of.shared ? "New game" : "New collection") }
}
