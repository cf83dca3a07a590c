// What is not saved, kept by the browser: it survives a reload, the end of the server, and the end of the browser.

import { toast } from "../app/html.js"
import { folded } from "./document.js"

// The key of a draft has the tab that wrote it: two tabs on one file keep a draft each.
const PREFIX = "puzzlemc:draft:", TAB = "puzzlemc:tab", LOCK = "puzzlemc:tab:"
const SMALL = 200000  // characters that are written at each stroke
const PATIENCE = 300, DAYS = 60

export class Drafts {
  constructor() { Object.assign(this, { tab: "", living: new Set(), timer: 0, waiting: null, failed: false }) }

  // Find out which tab this is, and which others are open.
  async begin() {
    try { this.tab = sessionStorage.getItem(TAB) ?? "" } catch { /* private windows may refuse */ }
    if (!this.tab || !(await claimed(this.tab))) {
      this.tab = Array.from(crypto.getRandomValues(new Uint32Array(2)), each => each.toString(36)).join("")
      await claimed(this.tab)
    }
    try { sessionStorage.setItem(TAB, this.tab) } catch { /* private windows may refuse */ }
    const { held = [] } = await navigator.locks?.query() ?? {}
    this.living = new Set(held.filter(each => each.name.startsWith(LOCK)).map(each => each.name.slice(LOCK.length)))
    for (const { key, draft } of all()) if (Date.now() - draft.time > DAYS * 86400000) remove(key)
  }

  // The changes of a document in this tab, otherwise the newest of a tab that is not open any more.
  read(document) {
    const found = all().filter(({ tab, draft }) => draft.name === document.name && (tab === this.tab || !this.living.has(tab)))
    found.sort((one, other) => (other.tab === this.tab) - (one.tab === this.tab) || other.draft.time - one.draft.time)
    if (!found.length) return null
    if (found[0].tab !== this.tab) remove(found[0].key)
    return found[0].draft
  }

  // Documents that were in no file of the server, with changes that are in no file.
  others(names) {
    const found = all().filter(({ tab, draft }) => draft.about.number < 0 && !names.includes(draft.name) && (tab === this.tab || !this.living.has(tab)))
    for (const { tab, key } of found) if (tab !== this.tab) remove(key)
    return found.map(({ draft }) => draft)
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
    const of = folded(document.history.now), { name, puzzle, number, form, was, saved, texts } = document
    const mine = of.shared ? [] : [...of.levels.entries()].filter(([, level]) => level.mine !== undefined).map(([at, level]) => [at, level.mine])
    const draft = { name, about: { name, puzzle, number: Math.min(number, 0) }, form, was, saved, texts: of.text === saved ? null : [...texts], text: of.text, mine, at: of.at, time: Date.now() }
    if (number < 0) draft.about.number = -1
    try {
      localStorage.setItem(this.key(document), JSON.stringify(draft))
      this.failed = false
    } catch {  // full, or a private window refuses
      if (!this.failed) toast("This browser cannot keep the changes: save them")
      this.failed = true
    }
  }

  forget(document) {
    remove(this.key(document))
  }

  key(document) { return `${PREFIX}${this.tab}:${document.name || `new ${document.id}`}` }
}

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
