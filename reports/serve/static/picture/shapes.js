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
// `rich`: the cells have more to see than usual. `margin` is kept free on each side.
export function fit(svg, width, height, rich = 1, margin = 0) {
  const place = svg.parentElement.getBoundingClientRect()
  // On a narrow page, what is said about the level begins below the board, and is seen without scrolling.
  const most = !document.body.classList.contains("full") && matchMedia("(max-width:760px)").matches ? Math.max(180, Math.min(0.62 * innerHeight, innerHeight - scrollY - place.top - 110)) : place.height
  const largest = rich * Math.max(72, Math.round(innerHeight / 11))
  const cell = Math.max(6, Math.floor(Math.min(largest, (place.width - 2 * margin) / width, (most - 2 * margin) / height)))
  svg.setAttribute("width", cell * width)
  svg.setAttribute("height", cell * height)
  number(svg, width, height)
}

// The rows and columns of cells in a picture, which may have more beside them.
const cells = (svg, width, height) => svg.dataset.cells?.split(" ").map(Number) ?? [height, width]

export const letter = column => String.fromCharCode(65 + column)

// The numbers of rows and columns, in the cells at the edges; the style of the page hides them until they are wanted.
function number(svg, width, height) {
  const [rows, columns] = cells(svg, width, height), at = `${rows} ${columns}`, name = "letters" in svg.dataset ? letter : n => n + 1
  const old = svg.querySelector(".numbers")
  if (old?.dataset.of === at) return
  old?.remove()
  const label = (words, x, y) => shape(["t", "ink", x, y, .22, String(words), false])
  const list = [...Array(columns).keys()].map(n => label(name(n), n + .5, .14)).concat([...Array(rows).keys()].map(n => label(n + 1, .15, n + .5)))
  svg.append(element("g", { class: "numbers", "aria-hidden": "true", "data-of": at }, ...list))
}

// The cell of a picture below a pointer, as row and column from 0; null beside the cells.
export function cellBelow(svg, event) {
  const box = svg.getBoundingClientRect(), { width, height } = svg.viewBox.baseVal
  const row = Math.floor((event.clientY - box.top) / box.height * height), column = Math.floor((event.clientX - box.left) / box.width * width)
  const [rows, columns] = cells(svg, width, height)
  return row >= 0 && column >= 0 && row < rows && column < columns ? [row, column] : null
}
