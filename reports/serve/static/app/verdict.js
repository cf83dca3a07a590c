// What is known about the level, in the panel beside it.

import { byId, html, button, rich, term } from "./html.js"
import { heatChoice } from "../picture/heat.js"
import { element, group } from "../picture/shapes.js"
import { counted, number, percent, brief, placed, seconds, sentence } from "./words.js"

const BOUND = "A lower bound: it is proved that no solution costs less. It grows while the search goes on."
const BEST = "The best solution so far, checked by the rules: it is not known whether a cheaper one exists."
const LEAST = "No solution costs less: that is proved, and the rules have replayed the solution."

export function howToPlay(words) { byId("how").replaceChildren(...(words ? [html("b", {}, "How to play: "), words] : [])) }

// `known` has the answers so far by their kinds; `before` is the verdict before the last edit.
export function showVerdict(known, before, actions) {
  const { progress, faults, why, hard, done, lost } = known
  const verdict = known.verdict ?? (done?.stopped ? soFar(known) : null)
  const lines = []
  if (faults && actions.blank) {
    lines.push(html("h2", { class: "soft" }, "An empty board"), html("p", {}, "Choose a brush and paint on it."))
  } else if (faults) {
    lines.push(actions.goTo ? html("h2", { class: "bad" }, faults.faults.length > 1 ? "There are faults" : "There is a fault") : html("h2", { class: "soft" }, "Not a level yet"))
    for (const each of faults.faults.slice(0, 3)) lines.push(html("p", {}, actions.goTo ? linked(each, actions.goTo) : html("b", {}, actions.places ? placed(each) : ""), rich(inWords(each.message, actions.names))))
    if (faults.faults.length > 3) lines.push(html("p", { class: "soft" }, `and ${faults.faults.length - 3} more`))
  } else if (verdict) {
    lines.push(...(actions.sides ? won(verdict, actions.sides) : settled(verdict, why, done)))
  } else if (done?.failed) {
    lines.push(html("h2", { class: "warn" }, "No answer"), html("p", {}, done.failed))
  } else {
    lines.push(html("h2", { class: "soft" }, "Searching…"))
    if (progress) lines.push(html("p", {}, searching(progress, known.metric)))
  }
  if (!faults) for (const words of known.odd?.words ?? []) lines.push(html("p", { class: "warn odd" }, sentence(words)))
  if (done?.stopped) lines.push(html("p", {}, button("Search again", "Search from the beginning", actions.again)))
  const now = verdict ? brief(verdict) : ""
  if (before && now && before !== now) lines.push(html("span", { class: "change" }, `was ${before}`))
  byId("verdict").replaceChildren(...lines)
  if (known.picture) howToPlay(known.picture.how)
  const legend = lost?.cells.length && !actions.heat.shown && !actions.spare ? [html("p", { class: "soft legend" }, html("span", { class: "patch" }), "If a piece moves there, the level is lost.")] : []
  const layout = known.layout && html("figure", {}, drawn(known.layout.picture), html("figcaption", { class: "soft" }, verdict ? "The best layout" : "The best layout so far"))
  const heading = actions.heading ? [html("pre", { class: "heading", title: "What stands above the board: edit it under Text" }, actions.heading)] : []
  byId("actions").replaceChildren(...offered(verdict, actions))
  byId("facts").replaceChildren(...(layout ? [layout] : []), ...facts(verdict, known, actions), ...legend, ...heading)
}

// The place of a fault in a text: a click goes there.
export function linked(fault, goTo) {
  const words = placed(fault).slice(0, -2)
  return words && [html("button", { class: "goto", title: "Show this line", onclick: () => goTo(fault) }, words), ": "]
}

// What a search that was stopped leaves: its best solution, or the bound alone.
function soFar({ best, progress, metric, done }) {
  const bound = progress?.bound || null
  if (best) return { ...best, bound: best.bound ?? bound, optimal: false }
  return { verdict: "unknown", reason: "stopped", after: done.seconds, metric, bound }
}

// A message that names the pieces which the signs of a text stand for.
export function inWords(message, names) {
  return message.replace(/(?<=^|\s)[^\w\s](?=\s|,|$)/g, sign => names[sign] ? `${names[sign]} (${sign})` : sign)
}

function drawn({ width, height, board, pieces }) {
  return element("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": "The layout" }, group(board), group(pieces))
}

// Who wins a game of two sides.
function won(verdict, sides) {
  const { winner, turns, draw, over, first_moves: moves } = verdict.game ?? {}
  if (draw) return [html("h2", {}, "A draw"), html("p", { class: "big" }, over ? sentence(over) : "neither side can force a win")]
  if (winner == null) return [
    html("h2", { class: "warn" }, "Not decided"),
    html("p", {}, `No win within ${verdict.bound ?? 0} turns is forced; the limit of ${verdict.reason ?? "time"} was reached.`)]
  return [
    html("h2", { class: "good" }, `${sentence(winner).slice(0, -1)} wins`),
    html("p", { class: "big" }, turns == null ? "by force" : `by force, in ${turns} ${turns === 1 ? "turn" : "turns"} of its own`),
    moves?.length ? html("p", { class: "soft" }, `First moves that win: ${moves.slice(0, 12).join(", ")}${moves.length > 12 ? ", …" : ""}`) : ""].filter(Boolean)
}

function settled(verdict, why, done) {
  if (verdict.verdict === "solvable" && verdict.best) {
    return [html("h2", { class: "good" }, "Solvable"), verdict.note && html("p", { class: "big" }, sentence(verdict.note))].filter(Boolean)
  }
  if (verdict.verdict === "solvable" && verdict.arranges) {
    return [html("h2", { class: "good" }, "Solvable"), html("p", { class: "big" }, `It has a solution: ${counted(verdict.moves.length, `${verdict.arranges}s`)} to place.`)]
  }
  if (verdict.verdict === "solvable" && verdict.cost === 0) {
    return [html("h2", { class: "good" }, "Solvable"), html("p", { class: "big" }, "It is solved at its start.")]
  }
  if (verdict.verdict === "solvable") {
    const least = verdict.optimal ? term("the least, checked", LEAST) : verdict.bound ? term(`at least ${counted(verdict.bound, verdict.metric)}`, BOUND) : ""
    const found = verdict.cost == null ? "" : counted(verdict.cost, verdict.metric)
    return [
      html("h2", { class: "good" }, "Solvable"),
      found && html("p", { class: "big" }, verdict.optimal ? html("b", {}, found) : term(html("b", {}, found), BEST), least && html("span", { class: "soft" }, " · ", least)),
      verdict.engine === "lucky" && verdict.note && html("p", {}, sentence(verdict.note)),
    ].filter(Boolean)
  }
  if (verdict.verdict === "unsolvable") {
    const reason = why?.words ?? verdict.reason
    return [
      html("h2", { class: "bad" }, "Unsolvable"),
      reason ? html("p", { class: "big" }, rich(sentence(reason))) : done ? html("p", { class: "soft" }, done.stopped ? "The search for a reason was stopped." : "The proof is the whole level.") : html("p", { class: "soft" }, "Why? Searching…"),
      why?.scope && html("p", { class: "soft" }, rich(sentence(why.scope))),
    ].filter(Boolean)
  }
  if (verdict.verdict === "unknown") {
    return [
      html("h2", { class: "warn" }, "Not decided"),
      html("p", {}, verdict.reason === "stopped" ? `The search was stopped after ${seconds(verdict.after)}.` : `The limit of ${verdict.reason === "memory" ? "memory" : "time"} was reached.`),
      verdict.bound ? html("p", { class: "soft" }, term(`None has fewer than ${counted(verdict.bound, verdict.metric)}`, BOUND), ".") : "",
    ].filter(Boolean)
  }
  return [html("h2", { class: "bad" }, "Error"), html("p", {}, verdict.reason ?? "")]
}

function searching({ bound, best }, metric) {
  const none = bound ? term(`None has fewer than ${counted(bound, metric)}`, BOUND) : null
  const one = best != null ? term(`${none ? "one" : "One"} of ${counted(best, metric)} is known`, BEST) : null
  return none && one ? [none, ", ", one, "."] : none || one ? [none ?? one, "."] : []
}

// What can be done with a level that has been judged.
function offered(verdict, { play, watch, report, blueprint }) {
  if (verdict?.verdict === "unsolvable") return [html("div", { class: "row" }, button("Report", "Open the report: the map of all positions", report))]
  if (verdict?.verdict !== "solvable" || !verdict.moves) return []
  return [html("div", { class: "row" },
    play && button("Play", "Play this level (Ctrl+Enter)", play),
    watch && verdict.moves.length > 0 && button("Watch the solution", "The shortest solution, move by move", watch),
    blueprint && button("Copy blueprint", "Copy the best layout as a blueprint string", blueprint),
    button("Report", "Open the report: the map of all positions, and where they are lost", report))]
}

function facts(verdict, { hard, numbers }, { heat }) {
  const rows = measures(verdict, hard)
  const list = rows.length ? [definitions(rows)] : []
  const shown = verdict?.verdict === "solvable" ? difficulty(numbers) : [], more = html("details", { class: "difficulty", open: isOpen, ontoggle: () => { isOpen = more.open } }, html("summary", {}, "How hard it is"), definitions(shown))
  return [...list, ...(shown.length ? [more] : []), ...heatChoice(hard, heat)]
}

const definitions = rows => html("dl", {}, rows.map(([name, value, title]) => [html("dt", { title }, name), html("dd", {}, value)]))

// How hard a level is: names of measures, values, and what they mean.
export const difficulty = found => (found?.numbers ?? []).map(([title, value, definition, isShare]) => [term(title, definition), isShare ? percent(value, 1) : big(value)])

let isOpen = true  // are these numbers seen?

// The numbers that are known of a level: names, values, and what they mean.
export function measures(verdict, hard) {
  const rows = []
  if (verdict?.costs && verdict.moves) {
    for (const [metric, cost] of Object.entries(verdict.costs)) if (metric !== verdict.metric && cost != null) rows.push([`${metric} of this solution`, number(cost)])
  }
  if (hard) {
    if (hard.count != null) rows.push([["solutions", html("small", {}, hard.what)], hard.count === 1 ? "unique" : big(hard.count)])
    if (hard.shortest != null) rows.push([[verdict?.metric === "pushes" ? "orders of pushes" : "shortest solutions", hard.what && html("small", {}, "each order of the moves counts")], hard.shortest === 1 ? "unique" : big(hard.shortest)])
    if (hard.forced != null && verdict?.cost) rows.push(["forced first steps", `${hard.forced} of ${verdict.cost}`, "The first steps that all shortest solutions share"])
    if (hard.states) rows.push(["reachable positions", number(hard.states)])
    if (hard.lost != null && hard.states && verdict?.verdict === "solvable") rows.push(["of them lost", percent(hard.lost, hard.states), "Positions from which the goal cannot be reached"])
  }
  if (verdict?.seconds != null) rows.push(["found in", time(verdict.seconds), `engine: ${verdict.engine}`])
  return rows
}

const big = value => value < 1e9 ? number(value) : value.toExponential(1)
const time = seconds => seconds < 1 ? `${Math.max(1, Math.round(1000 * seconds))} ms` : `${seconds.toFixed(1)} s`
