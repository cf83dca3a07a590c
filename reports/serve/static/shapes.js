// Elements of SVG from the shapes of the server. Texts are set as text, never as markup.

const SVG = "http://www.w3.org/2000/svg"

export function element(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

function colour(name) {
  return name.startsWith("#") ? name : `var(--c-${name.replaceAll(" ", "-")})`
}

export function shape([kind, fill, ...rest]) {
  if (kind === "b") {
    const [x, y, width, height, rx] = rest
    return element("rect", { x, y, width, height, rx, fill: colour(fill) })
  }
  if (kind === "p") return element("polygon", { points: rest[0].map(p => p.join()).join(" "), fill: colour(fill) })
  const [x, y, size, text, fromLeft] = rest
  const place = { x, y, "font-size": size, "dominant-baseline": "central", fill: colour(fill) }
  const made = element("text", { ...place, "text-anchor": fromLeft ? "start" : "middle" })
  made.textContent = text
  return made
}

export function group(shapes, attributes = {}) {
  return element("g", attributes, ...shapes.map(shape))
}

// Squares of a heat map, with their numbers.
export function heat(cells) {
  return element("g", { class: "heat" }, ...cells.flatMap(({ row, column, shade, words, text }) => {
    const title = element("title")
    title.textContent = words
    const number = element("text", { x: column + .5, y: row + .5, "font-size": .26, "text-anchor": "middle", "dominant-baseline": "central" })
    number.textContent = text
    return [element("rect", { x: column + .03, y: row + .03, width: .94, height: .94, "fill-opacity": (.1 + .4 * shade).toFixed(2) }, title), number]
  }))
}

// A picture of nothing but lines of text, as a list that can be read; null if it is another one.
export function lines({ board = [], pieces }) {
  if (board.length || !pieces.length || pieces.some(([kind, , , , , , fromLeft]) => kind !== "t" || !fromLeft)) return null
  const list = document.createElement("ul")
  list.className = "lines"
  for (const [, fill, , , , text] of pieces) {
    const item = document.createElement("li")
    item.className = `ink-${fill}`
    item.textContent = text
    list.append(item)
  }
  return list
}

// The largest size in pixels at which a picture fits into its place.
// `rich`: the cells have more to see than usual.
export function fit(svg, width, height, rich = 1) {
  const place = svg.parentElement.getBoundingClientRect()
  const most = matchMedia("(max-width:760px)").matches ? 0.62 * innerHeight : place.height
  const largest = rich * Math.max(72, Math.round(innerHeight / 11))
  const cell = Math.max(6, Math.floor(Math.min(largest, place.width / width, most / height)))
  svg.setAttribute("width", cell * width)
  svg.setAttribute("height", cell * height)
}
