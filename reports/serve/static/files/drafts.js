// What is not saved, kept by the browser: it survives a reload, the end of the server, and the end of the browser.

import { toast } from "../app/html.js"
import { folded } from "./document.js"

// The key of a draft has the tab that wrote it: two tabs on one file keep a draft each.
const PREFIX = "puzzlemc:draft:", TAB = "puzzlemc:tab", LOCK = "puzzlemc:tab:"
const SMALL = 200000  // characters that are written at each stroke
const PATIENCE = 300, DAYS = 60

export class Drafts {
  constructor() { Object.assign(this, { tab: "", timer: 0, waiting: null, failed: false }) }

  // Find out which tab this is.
  async begin() {
    try { this.tab = sessionStorage.getItem(TAB) ?? "" } catch { /* private windows may refuse */ }
    if (!this.tab || !(await claimed(this.tab))) {
      this.tab = unique()
      await claimed(this.tab)
    }
    try { sessionStorage.setItem(TAB, this.tab) } catch { /* private windows may refuse */ }
    for (const { key, draft } of all()) if (Date.now() - draft.time > DAYS * 86400000) remove(key)
  }

  // The drafts of this tab, and of tabs that are not open any more.
  async mine() {
    const { held = [] } = await navigator.locks?.query() ?? {}, living = new Set(held.map(each => each.name))
    return all().filter(({ tab }) => tab === this.tab || !living.has(LOCK + tab))
  }

  // The changes of a document in this tab, otherwise the newest ones.
  async read(document) {
    const found = (await this.mine()).filter(({ draft }) => draft.name === document.name)
    found.sort((one, other) => (other.tab === this.tab) - (one.tab === this.tab) || other.draft.time - one.draft.time)
    return found[0] ?? null
  }

  // Documents that were in no file of the server, with changes that are in no file.
  async others(names) {
    return (await this.mine()).filter(({ draft }) => draft.about.number < 0 && !names.includes(draft.name))
  }

  // A document has its changes again: from now on they are kept as those of this tab.
  take(document, key) {
    this.write(document)
    if (!this.failed && key !== this.keys(document)[0]) remove(key)
  }

  keep(document, atOnce = false) {
    if (!document?.isOpen || !document.isNamed) return
    if (this.waiting && this.waiting !== document) this.write(this.waiting)
    clearTimeout(this.timer)
    this.waiting = document
    if (atOnce || document.saved.length < SMALL) this.write(document)
    else this.timer = setTimeout(() => this.write(document), PATIENCE)
  }

  write(document) {
    this.waiting = null
    if (!document.isChanged) return this.forget(document)
    const [key, ...others] = this.keys(document), of = folded(document.history.now), { name, puzzle, number, form, was, saved, texts, sign } = document
    const mine = of.shared ? [] : [...of.levels.entries()].filter(([, level]) => level.mine !== undefined).map(([at, level]) => [at, level.mine])
    const draft = { name, about: { name, puzzle, number: Math.min(number, 0), sign }, form, was, saved, texts: of.text === saved ? null : [...texts], text: of.text, mine, at: of.at, time: Date.now() }
    if (number < 0) draft.about.number = -1
    try {
      localStorage.setItem(key, JSON.stringify(draft))
      for (const other of others) remove(other)
      this.failed = false
    } catch {  // full, or a private window refuses
      if (!this.failed) toast("This browser cannot keep the changes: save them")
      this.failed = true
    }
  }

  forget(document) {
    for (const key of this.keys(document)) remove(key)
  }

  // By its name; a document without one has a sign, which it keeps until it is saved under a name.
  keys(document) {
    document.sign ||= unique()
    return [document.name, `new ${document.sign}`].filter(Boolean).map(each => `${PREFIX}${this.tab}:${each}`)
  }
}

const unique = () => Array.from(crypto.getRandomValues(new Uint32Array(2)), each => each.toString(36)).join("")

function all() {
  try {
    return Object.keys(localStorage).filter(key => key.startsWith(PREFIX)).flatMap(key => {
      try {
        const draft = JSON.parse(localStorage.getItem(key))
        return draft.about ? [{ key, tab: key.slice(PREFIX.length).split(":")[0], draft }] : []
      } catch {
        return []
      }
    })
  } catch {
    return []
  }
}

function remove(key) {
  try { localStorage.removeItem(key) } catch { /* private windows may refuse */ }
}

// Is this tab the one of that name from now on? Another one may be, if it was duplicated.
function claimed(tab) {
  if (!navigator.locks) return Promise.resolve(true)
  return new Promise(resolve => {
    const late = new AbortController(), timer = setTimeout(() => late.abort(), 500)
    navigator.locks.request(`${LOCK}${tab}`, { signal: late.signal }, () => {
      clearTimeout(timer)
      resolve(true)
      return new Promise(() => {})
    }).catch(() => resolve(false))
  })
}
