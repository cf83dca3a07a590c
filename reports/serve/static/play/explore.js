// The graph of all positions, seen from the one on the board.

import { html, button } from "../app/html.js"
import { counted, number } from "../app/words.js"

const ARROWS = { l: "←", u: "↑", r: "→", d: "↓" }

// The moves from here, the shortest ways first; lost positions are last.
export function ways({ ways, states, metric }, play) {
  const words = left => left == null ? (states ? "lost" : "") : left === 0 ? "reaches the goal" : `${counted(left, metric)} to go`
  return [
    html("p", { class: "soft" }, `${states ? `A graph of ${number(states)} positions` : "The graph is too large to be known whole"}; ${ways.length ? `the ${ways.length} moves from this one:` : "no moves lead on from this one."}`),
    html("div", { class: "ways" }, ways.map(([name, said, left]) => button([html("b", {}, ARROWS[name.toLowerCase()] ?? said), " ", html("span", { class: left == null && states ? "bad" : "soft" }, words(left))], said, () => play.play([name]))))]
}
