// Heat maps: how many of all positions have a piece on a square, and which share of these is lost; with a legend.

import { html } from "../app/html.js"
import { number } from "../app/words.js"
import { element } from "./shapes.js"

const PALE = .1, STRONG = .75  // opacities of the least and the greatest share
const SHADES = 9  // in the legend
const MOST_CELLS = 24  // columns and rows up to which the squares have numbers
const CLOSE = 5  // percent: shares that are closer together have a decimal place

// The map that is chosen, `family|lost` or `family|visits`, of what is known about all positions; null without one.
// A square on which every position is lost (`all`) is no part of the scale.
export function heatMap(hard, chosen) {
  const [family, what] = chosen.split("|"), found = hard?.heat?.[family]
  if (!found?.length) return null
  const ofLost = what === "lost"
  const cells = found.map(([row, column, states, lost]) => ({
    row, column, states, lost, all: ofLost && lost === states, share: ofLost ? lost / states : states / hard.states,
  }))
  const shares = cells.filter(each => !each.all).map(each => each.share)
  const least = Math.min(...shares), most = Math.max(...shares), places = 100 * (most - least) < CLOSE && most > least ? 1 : 0
  for (const each of cells) {
    each.shade = each.all || most === least ? 1 : (each.share - least) / (most - least)
    each.text = each.all ? "" : percent(each.share, places)
    each.words = `${number(each.states)} positions, ${percent(each.lost / each.states, 1)} % of them lost`
  }
  return { family, ofLost, cells, states: hard.states, least: percent(least, places), most: percent(most, places), scaled: shares.length > 0, crossed: cells.some(each => each.all) }
}

// A share in percent. What is rounded to none or to all without being that says so.
function percent(share, places) {
  const unit = places ? .1 : 1, value = (100 * share).toFixed(places)
  if (share > 0 && Number(value) === 0) return `<${unit}`
  return share < 1 && Number(value) === 100 ? `>${100 - unit}` : value.replace(/\.0$/, "")
}

const opacity = shade => (PALE + (STRONG - PALE) * shade).toFixed(2)
const cross = (row, column) => element("path", { class: "cross", d: `M${column + .25} ${row + .25}l.5 .5m0 -.5l-.5 .5` })

// The squares of a map over a board, with their numbers.
export function heat(map) {
  if (!map) return element("g")
  const numbered = map.cells.every(each => each.row < MOST_CELLS && each.column < MOST_CELLS)
  return element("g", { class: map.ofLost ? "heat" : "heat visits" }, ...map.cells.flatMap(({ row, column, shade, all, words, text }) => {
    const title = element("title")
    title.textContent = words
    const place = { x: column + .03, y: row + .03, width: .94, height: .94 }
    const square = element("rect", { ...place, "fill-opacity": opacity(shade) }, title)
    const ground = element("rect", { ...place, class: "ground" })  // equal shares have equal colours, whatever stands there
    if (all) return [ground, square, cross(row, column)]
    const said = element("text", { x: column + .5, y: row + .5, "font-size": text.length > 3 ? .3 : .36, "text-anchor": "middle", "dominant-baseline": "central" })
    said.textContent = text
    return numbered ? [ground, square, said] : [ground, square]
  }))
}

// What the colours and the numbers of a map mean.
function legend(map) {
  const { family, ofLost, states, least, most, scaled, crossed } = map
  const square = (x, shade) => element("rect", { x, y: 0, width: 1.02, height: 1, "fill-opacity": opacity(shade) })
  const bar = (count, ...more) => element("svg", { viewBox: `0 0 ${count} 1`, preserveAspectRatio: "none", class: `heat${ofLost ? "" : " visits"}${count === 1 ? " one" : ""}`, "aria-hidden": "true" }, ...more)
  const shades = Array.from({ length: SHADES }, (_, n) => square(n, n / (SHADES - 1)))
  return html("div", { class: "scale" },
    scaled && html("p", {}, least === most ? [bar(1, square(0, 1)), `${most} %`] : [`${least} %`, bar(SHADES, ...shades), `${most} %`]),
    html("p", { class: "soft" }, ofLost
      ? [scaled && `Of the positions with ${family} on the square, the percentage that is lost. `, crossed && [bar(1, square(0, 1), cross(0, 0)), ` All of them are lost.`]]
      : `Of all ${number(states)} positions, the percentage with ${family} on the square.`))
}

// The choice of a map, with its legend; nothing where there is no map.
export function heatChoice(hard, { shown, choose }) {
  const families = Object.keys(hard?.heat ?? {}), map = heatMap(hard, shown)
  if (!families.length) return []
  const option = (value, words) => html("option", { value, selected: value === shown }, words)
  return [html("label", { class: "heat-choice" }, "On the board ",
    html("select", { title: "A heat map of all positions: how many have a piece on a square, and which share of them is lost", onchange: event => choose(event.target.value) },
      option("", "no heat map"), families.flatMap(family => [
        option(`${family}|lost`, `${family}: share of lost positions`), option(`${family}|visits`, `${family}: share of all positions`)]))),
  ...(map ? [legend(map)] : [])]
}
