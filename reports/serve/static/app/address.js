// Links, which are in the address, too: `#level=`, the puzzle, the compressed text, and the number of the level in it; and the last level of each puzzle in this browser.

const MOST = 100000
const LINK = /^#level=([a-z][a-z0-9_]*):([\w-]+)(?::(\d{1,6}))?$/

async function through(stream, bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader()
  const parts = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > MOST) throw new Error("too long")
    parts.push(value)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

// `level` counts from 0; the link has the number from 1, and none for the first one.
export async function encode(puzzle, text, level) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text))
  const letters = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
  return `#level=${puzzle}:${letters}${level ? `:${level + 1}` : ""}`
}

export async function decode(hash) {
  const found = LINK.exec(hash)
  if (!found) return null
  try {
    const letters = atob(found[2].replaceAll("-", "+").replaceAll("_", "/"))
    const bytes = Uint8Array.from(letters, letter => letter.charCodeAt(0))
    const text = new TextDecoder().decode(await through(new DecompressionStream("deflate-raw"), bytes))
    return { puzzle: found[1], text, level: Math.max(0, (found[3] ?? 1) - 1) }
  } catch {
    return null
  }
}

// The link in a text that is nothing else than a link, or an address that ends with one; null for any other text.
export const linkIn = text => /^\S*(#level=[\w:-]+)$/.exec(text.trim())?.[1] ?? null

const key = puzzle => `puzzlemc:${puzzle}`

function keep(puzzle, text, level) {
  try {
    localStorage.setItem(key(puzzle), text)
    localStorage.setItem(key(`${puzzle}:level`), level)
    localStorage.setItem(key("last"), puzzle)
  } catch { /* private windows may refuse */ }
}

// The address and the browser have the level, once it is left alone for a moment.
let timer
export function keepSoon(puzzle, text, level) {
  clearTimeout(timer)
  timer = setTimeout(async () => {
    keep(puzzle, text, level)
    history.replaceState(null, "", await encode(puzzle, text, level))
  }, 200)
}

export function kept(puzzle) {
  try { return localStorage.getItem(key(puzzle)) } catch { return null }
}

export function keptLevel(puzzle) {
  try { return Number(localStorage.getItem(key(`${puzzle}:level`))) || 0 } catch { return 0 }
}
