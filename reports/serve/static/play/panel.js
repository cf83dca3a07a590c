// What is said about the position, in the panel beside the board.

import { html, button, rich } from "../app/html.js"
import { costs, counted, sentence } from "../app/words.js"

const MOST_SAID = 4  // groups of equal moves of a hint that are said one by one

// The costs of the moves so far.
export const spent = ({ position, at }) => costs(position.costs) || counted(at, "moves")

// Can the position still be solved, and in how much?
export function standing(play) {
  const { position, advice } = play
  if (play.kind.sides) return [...sides(play), html("p", { class: "soft" }, `${spent(play)} so far`)]
  if (position.solved) return [
    html("h2", { class: "good" }, "Solved"), html("p", { class: "big" }, play.at ? `in ${spent(play)}` : "It is solved at its start."), ...record(play), onward(play)]
  return [...solvable(play), html("p", { class: "soft" }, `${spent(play)} so far`), play.hinted && html("p", { class: "big" }, hintWords(advice)), ...record(play)].filter(Boolean)
}

// What the player has done on the level so far.
function record({ record }) {
  return [record.better(), record.words()].map((words, at) => words && html("p", { class: at ? "soft" : "good" }, words)).concat(record.failed && html("p", { class: "warn" }, record.failed)).filter(Boolean)
}

// What there is to do once a level is solved.
function onward(play) {
  const next = play.nextLevel()
  return html("div", { class: "row onward" },
    next && button("Next level", "Play the next level of the list (N)", next, { class: "first" }),
    play.at > 0 && button("Replay", "Watch these moves from the start", () => play.fromStart()),
    play.record.moves && button("Replay my record", `Watch your solution of least ${play.kind.metrics[0]}`, () => play.watch(play.record.moves, true)))
}

function solvable(play) {
  const { position, advice } = play
  if (!advice) return [html("h2", { class: "soft" }, "…"), html("p", { class: "big" }, "\u00a0")]  // what is below keeps its place
  if (advice.solvable === false) return [html("h2", { class: "bad" }, "Lost"), ...lost(play)]
  if (!advice.solvable) return [html("h2", { class: "warn" }, "Not known"), html("p", {}, advice.reason || "The limit of time was reached.")]
  const left = counted(advice.left, Object.keys(position.costs)[0])
  return [
    html("h2", { class: "good" }, "Still solvable"),
    html("p", { class: "big" }, advice.sure ? `at most ${left} to go, whatever is drawn` : `${left} to go${advice.sure === false ? ", with luck" : ""}`),
    advice.sure === false && html("p", {}, "No strategy is sure to win from here.")].filter(Boolean)
}

// Since when a position is lost, and the way back.
function lost({ advice: { since, exact }, why, seek }) {
  if (exact && since === 0) return [html("p", { class: "big" }, "The level has no solution from the start.")]
  const back = since - 1, where = back ? `Go back to move ${back}` : "Go back to the start"
  return [
    html("p", { class: "big" }, `Lost since move ${since}${exact ? "" : ", or before"}.`),
    html("p", {}, button(where, `Take back all moves from move ${since} on`, () => seek(back))),
    why ? html("p", {}, rich(sentence(why.words))) : ""]  // it comes later, and moves no button
}

// A game of two sides: whose turn it is, or who has won; and what the prover says.
function sides(play) {
  const { position, proof, kind } = play, name = side => kind.sides[side][0].toUpperCase() + kind.sides[side].slice(1)
  const said = [html("h2", { class: position.over ? "good" : "" }, position.over ? "The game is over" : `${name(position.turn)} to move`)]
  if (position.over) said.push(html("p", { class: "big" }, position.over))
  else if (play.isBotsTurn()) said.push(html("p", { class: "soft" }, `${play.bot} thinks…`))
  if (proof === "…") said.push(html("p", { class: "soft" }, "The prover searches…"))
  else if (proof?.draw) said.push(html("p", { class: "big" }, "A draw, if both sides play well: neither can force a win."))
  else if (proof && proof.winner == null) said.push(html("p", { class: "big" }, "Nobody is known to win by force."))
  else if (proof) {
    said.push(html("p", { class: "big" }, `${name(proof.winner)} wins by force, in ${proof.turns} ${proof.turns === 1 ? "turn" : "turns"} of its own.`))
    if (proof.moves.length) said.push(html("div", { class: "legal" }, proof.moves.map(([move, words]) => button(words, "Play this move, which wins", () => play.play([move])))))
  }
  return said
}

// What the player may do; nothing more once the level is solved.
export function help({ position, kind }) {
  if (!position || position.over || position.solved) return ""
  const ways = [position.prompt || (Object.keys(position.pad).length ? "Arrow keys" : ""), kind.points].filter(Boolean).join("; or ")
  return ways ? `${ways[0].toUpperCase()}${ways.slice(1)}.` : "Choose a move."
}

// A hint in words.
function hintWords(advice) {
  if (!advice) return "The hint is searched…"
  if (advice.solvable === false) return "No hint: from here, no moves lead to the goal."
  if (!advice.say?.length) return "No hint is known."
  const runs = []
  for (const each of advice.say) {
    if (runs.at(-1)?.[0] === each) runs.at(-1)[1] += 1
    else runs.push([each, 1])
  }
  const words = runs.map(([each, times]) => times === 1 ? each : `${each} ${times} times`)
  const [last] = words.slice(-1), first = words.slice(0, -1)
  const way = first.length >= MOST_SAID ? "follow the dots" : first.join(", ")
  const luck = advice.sure ? ", whatever comes." : advice.sure === false ? ", with luck." : "."
  return ["Hint: ", html("b", {}, way ? `${way}, then ${last}` : last), luck]
}
