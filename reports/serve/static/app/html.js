// Elements of the page. Children that are texts stay texts.

export function html(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value)
    else if (value === true) made.setAttribute(key, "")
    else if (value !== false && value != null) made.setAttribute(key, value)
  }
  made.append(...children.flat(Infinity).filter(child => child != null && child !== false))
  return made
}

export const button = (text, title, onclick, more = {}) => html("button", { title, onclick, ...more }, text)

// Words with a meaning, which is shown under the pointer, and said on a click or a tap, until the next one.
export const term = (words, meaning) => button(words, meaning, () => {
  toast(meaning)
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => { if (byId("toast").textContent === meaning) byId("toast").classList.remove("shown") }, { capture: true, once: true })
}, { class: "term" })

// A text with `code` in backticks, as elements.
export const rich = text => text.split(/`([^`]*)`/).map((part, at) => at % 2 ? html("code", {}, part) : part)

export const byId = name => document.getElementById(name)

let timer
export function toast(text) {
  const place = byId("toast")
  place.textContent = text
  place.classList.add("shown")
  clearTimeout(timer)
  timer = setTimeout(() => place.classList.remove("shown"), Math.max(1600, 50 * text.length))
}
