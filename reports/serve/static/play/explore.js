// The graph of all positions: seen from the one on the board, and as a drawing with the path so far.

import { html, button } from "../app/html.js"
import { counted, number } from "../app/words.js"
import { element } from "../picture/shapes.js"
import { Zoom } from "../picture/zoom.js"

const ARROWS = { l: "←", u: "↑", r: "→", d: "↓" }
const MARGIN = 20  // around the nodes, in the unit of the drawing
const LEAST = [200, 60]  // the least width and height, so that few nodes are not large
const CLOSEST = 60  // the least width that zooming shows
const NEAR = 24  // pixels from a node that a click may be
const MANY = 800  // edges that are drawn thin
const KINDS = { live: "can be solved", lost: "lost", solved: "solved" }

// The moves from here, the shortest ways first; lost positions are last.
export function ways({ ways, states, metric }, play) {
  const words = left => left == null ? (states ? "lost" : "") : left === 0 ? "reaches the goal" : `${counted(left, metric)} to go`
  const shown = play.graph, undrawn = states && shown.data && !shown.data.places ? ", too many to draw" : ""
  return [
    html("p", { class: "soft" }, `${states ? `A graph of ${number(states)} positions${undrawn}` : "The graph is too large to be known whole"}; ${ways.length ? `the ${ways.length} moves from this one:` : "no moves lead on from this one."}`),
    html("div", { class: "ways" }, ways.map(([name, said, left, node]) => button([html("b", {}, ARROWS[name.toLowerCase()] ?? said), " ", html("span", { class: left == null && states ? "bad" : "soft" }, words(left))], said, () => play.play([name]), {
      onpointerenter: () => shown.point(node), onpointerleave: () => shown.point(null), onfocus: () => shown.point(node), onblur: () => shown.point(null),
    })))]
}

export class Graph {
  constructor(play) {
    Object.assign(this, { play, data: null, path: [], metric: "" })
    this.drawing = element("g")
    this.way = element("g")
    this.next = element("circle", { class: "next", r: 6, visibility: "hidden" })
    this.svg = element("svg", { role: "img", tabindex: 0 }, this.drawing, this.way, this.next)
    this.zoom = new Zoom(this.svg, (x, y) => this.go(this.nearest(x, y)))
    this.svg.addEventListener("pointermove", event => {
      const { x, y } = this.zoom.at(event.clientX, event.clientY)
      this.say(this.nearest(x, y))
    })
    this.svg.addEventListener("pointerleave", () => this.say(null))
    this.svg.addEventListener("keydown", event => {
      const act = { "+": () => this.zoom.nearer(), "=": () => this.zoom.nearer(), "-": () => this.zoom.further(), 0: () => this.zoom.all() }[event.key]
      if (!act || !this.data || event.ctrlKey || event.metaKey || event.altKey) return
      act()
      event.preventDefault()
      event.stopPropagation()  // digits are keys of some puzzles
    })
    this.tools = html("div", { class: "row", role: "group", "aria-label": "The picture of the graph" },
      button("+", "Nearer (+ or the wheel)", () => this.zoom.nearer(), { "aria-label": "Nearer" }),
      button("−", "Further away (− or the wheel)", () => this.zoom.further(), { "aria-label": "Further away" }),
      button("All", "The whole graph (0)", () => this.zoom.all()))
    const mark = (look, d) => element("svg", { viewBox: "-8 -8 16 16", "aria-hidden": "true" }, element("path", { class: look, d }))
    this.legend = html("div", { class: "row keys" }, Object.entries(KINDS).map(([kind, words]) => html("span", {}, mark(`node ${kind}`, kind === "solved" ? "M0-6l6 6-6 6-6-6z" : "M0 0h0"), words)), html("span", {}, mark("edge way", "M-7 0h14"), "the moves so far"))
    this.said = html("p", { class: "soft", role: "status" })
    this.place = html("div", { class: "graph", hidden: true }, this.svg, html("div", { class: "row foot" }, this.legend, this.tools), this.said)
  }

  // What a question asks besides, when positions are explored.
  wants() { return this.play.explores && !this.data ? { graph: true } : {} }

  hear(data) {
    this.data = data
    if (data.places) this.draw(data)
  }

  draw({ places, kinds, edges }) {
    const columns = places.map(([x]) => x), rows = places.map(([, y]) => y)
    const span = (values, least) => {
      const from = values.reduce((a, b) => Math.min(a, b)), to = values.reduce((a, b) => Math.max(a, b)), size = Math.max(least, to - from + 2 * MARGIN)
      return [(from + to - size) / 2, size]
    }
    const [x, width] = span(columns, LEAST[0]), [y, height] = span(rows, LEAST[1])
    const dots = { live: "", lost: "", solved: "" }
    places.forEach(([left, top], node) => { dots[kinds[node]] += kinds[node] === "solved" ? `M${left} ${top - 5}l5 5-5 5-5-5z` : `M${left} ${top}h0` })
    this.drawing.replaceChildren(
      element("path", { class: edges.length > MANY ? "edge many" : "edge", d: edges.map(([from, to]) => this.edge(from, to)).join("") }),
      ...Object.entries(dots).filter(([, d]) => d).map(([kind, d]) => element("path", { class: `node ${kind}`, d })))
    Object.keys(KINDS).forEach((kind, at) => { this.legend.children[at].hidden = !dots[kind] })
    this.svg.setAttribute("aria-label", `The graph of ${number(places.length)} nodes; the moves from here are listed, too`)
    this.place.style.setProperty("--ratio", width / height)
    this.zoom.begin({ x, y, width, height }, CLOSEST)
  }

  // A line between two nodes. In a column, it curves around the nodes in between.
  edge(from, to) {
    const [[x, y], [left, top]] = [this.data.places[from], this.data.places[to]]
    return x === left ? `M${x} ${y}Q${x - Math.min(Math.abs(top - y) / 2, 30)} ${(y + top) / 2} ${left} ${top}` : `M${x} ${y}L${left} ${top}`
  }

  nearest(x, y) {
    if (!this.data?.places) return null
    let best = null, least = Infinity
    this.data.places.forEach(([left, top], node) => {
      const far = (left - x) ** 2 + (top - y) ** 2
      if (far < least) [best, least] = [node, far]
    })
    return Math.sqrt(least) * this.svg.getScreenCTM().a < NEAR ? best : null
  }

  // Go to a node: back on the path so far, or from the start.
  go(node) {
    if (node == null) return
    const at = this.path.lastIndexOf(node)
    if (at >= 0) this.play.seek(at)
    else this.play.toNode(node)
  }

  // The node behind a move.
  point(node) {
    const place = this.data?.places?.[node]
    this.next.setAttribute("visibility", place ? "visible" : "hidden")
    if (place) [this.next.cx.baseVal.value, this.next.cy.baseVal.value] = place
  }

  say(node) {
    const { data, metric } = this
    if (node == null) {
      this.said.textContent = "Click a node to go there; the wheel or two fingers zoom."
      return
    }
    const size = data.sizes[node], depth = counted(data.depths[node], metric)
    this.said.textContent = `${KINDS[data.kinds[node]][0].toUpperCase()}${KINDS[data.kinds[node]].slice(1)}, ${depth} from the start${size > 1 ? `: ${number(size)} positions, between which moves cost nothing` : ""}.`
  }

  show() {
    const { play, data } = this, drawn = Boolean(play.explores && data?.places)
    const was = this.place.hidden
    this.place.hidden = !drawn
    if (was !== this.place.hidden) play.resize()
    if (!drawn || !play.around?.path.length) return  // the path stays until the next one has come
    this.path = play.around.path
    this.metric = play.around.metric
    const { path } = this, [x, y] = data.places[path.at(-1)], lines = path.slice(1).map((node, at) => node === path[at] ? "" : this.edge(path[at], node)).join("")
    const [left, top] = data.places[0]
    this.way.replaceChildren(element("path", { class: "edge way", d: lines }), element("circle", { class: "start", cx: left, cy: top, r: 5.5 }), element("circle", { class: "here", cx: x, cy: y, r: 7.5 }))
    this.point(null)
    this.zoom.bring([x, y])
    if (!this.said.textContent) this.say(null)
  }
}
