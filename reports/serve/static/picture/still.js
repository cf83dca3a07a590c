// The picture of a level that is not drawn on.

import { heat } from "./heat.js"
import { element, fit, group, lines } from "./shapes.js"

let shown = null

// Show what is found about a level on the stage, with a heat map.
export function still(stage, found, map) {
  const { width, height, board, pieces } = found.picture, key = JSON.stringify(map)
  if (shown?.isConnected && shown.of === found && shown.heat === key) return
  const list = lines({ board, pieces })
  if (list) return stage.replaceChildren(list)
  const svg = element("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "The level" }, group(board), group(pieces), heat(map))
  stage.replaceChildren(svg)
  shown = Object.assign(svg, { of: found, heat: key })
  fit(svg, width, height)
}

// The stage has another size.
export function refit() {
  if (shown?.isConnected) fit(shown, shown.of.picture.width, shown.of.picture.height)
}
