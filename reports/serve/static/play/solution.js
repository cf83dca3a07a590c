// The moves as text: those on the board to copy, and any other ones to be judged and played.

import { ask } from "../app/wire.js"
import { html, button, rich, toast } from "../app/html.js"
import { costs, counted, number, placed, sentence } from "../app/words.js"

const MOST_TEXT = 100000, MOST_BYTES = 250000  // of a solution, and of it with its level: the server closes the socket of a page that sends more
const PAUSE = 250  // milliseconds after a key, until the text is judged

// `text` is one that was pasted; without one, the dialog begins with the moves on the board.
export function solution(play, text = "") {
  if (document.querySelector("dialog[open]")) return
  let timer, judged = null, taken = false, played = null
  const area = html("textarea", { rows: 6, spellcheck: "false", autocapitalize: "off", "aria-label": "Moves as text", oninput: () => judge() })
  const said = html("div", { role: "status", class: "judged" })
  const show = button("Show on the board", "Play the legal moves on the board, to go through them there", () => {
    taken = true
    dialog.close()
    play.judged(judged, mine.checked)
  }, { disabled: true })
  const mine = html("input", { type: "checkbox" }), whose = html("label", { class: "mine", hidden: true, title: "Your record counts the solutions that you have found" }, mine, "These moves are mine: count them for my record")
  const copy = button("Copy", "Copy this text", async () => {
    area.select()
    try {
      await navigator.clipboard.writeText(area.value)
      toast("The moves are copied")
    } catch { toast("Copy the selected text") }
  })
  const dialog = html("dialog", { class: "solution", "aria-labelledby": "solution-head", onclose: () => {
    clearTimeout(timer)
    dialog.remove()
    if (!taken) play.again()
    play.svg.focus({ preventScroll: true })
  } },
  html("h2", { id: "solution-head" }, "Solution as text"),
  html("p", { class: "soft" }, "The moves on the board, or those that you paste: letters, words or arrows, with counts such as 3r. They are judged as you type."),
  area, said, whose,
  html("div", { class: "row" }, show, copy, html("span", { class: "space" }), button("Close", "Back to the board (Esc)", () => dialog.close())))

  function judge(pause = PAUSE) {
    judged = null
    show.disabled = whose.hidden = true
    mine.checked = false
    clearTimeout(timer)
    said.replaceChildren()
    if (!area.value.trim()) return
    const question = { ask: "solution", ...play.level, solution: area.value }
    if (area.value.length > MOST_TEXT || new Blob([JSON.stringify(question)]).size > MOST_BYTES) return said.replaceChildren(html("p", { class: "bad" }, "This is too long: a solution has at most 100,000 characters, or fewer if the level is large."))
    timer = setTimeout(() => {
      ask(question, answer => {
        if (answer.kind === "checked") {
          judged = answer
          show.disabled = !answer.moves?.length
          // Whose the moves on the board are is known.
          whose.hidden = !answer.solved || !answer.moves || area.value === played || Boolean(play.kind.sides)
          said.replaceChildren(...words(answer, play))
        } else if (answer.failed) said.replaceChildren(html("p", { class: "warn" }, answer.failed))
      })
    }, pause)
  }

  document.body.append(dialog)
  dialog.showModal()
  if (text) {
    area.value = text
    judge(0)
  } else if (play.line.length) {
    ask({ ask: "solution", ...play.level, moves: play.line }, answer => {
      if (answer.kind !== "written" || area.value) return
      area.value = played = answer.text
      area.select()
      judge(0)
    })
  }
}

// What is to be said of a judged text.
function words({ read, solved, since, costs: spent, fault, moves }, { kind }) {
  if (fault && read == null) return [html("p", { class: "bad" }, html("b", {}, placed(fault)), rich(sentence(fault.message)))]
  if (fault) return [
    html("p", { class: "bad" }, html("b", {}, "Wrong: "), rich(`${fault.message}${/[.…]$/.test(fault.message) ? "" : "."}`)),
    html("p", { class: "soft" }, `${placed(fault).replace(": ", ". ")}${read ? `The ${read === 1 ? "move" : `${number(read)} moves`} before it ${read === 1 ? "is" : "are"} legal.` : ""}`)]
  if (solved) return [html("p", { class: "good" }, html("b", {}, "Right: "), `${costs(spent) || counted(read, "moves")}.`), !moves && html("p", { class: "soft" }, "It is too long for the board.")].filter(Boolean)
  const isOne = read === 1, legal = isOne ? "The move is legal" : `All ${number(read)} moves are legal`
  if (kind.sides) return [html("p", {}, `${legal}.`)]
  return [html("p", { class: "warn" }, since == null ? `${legal}, but the level is not solved after ${isOne ? "it" : "them"}.` : `${legal}, but the level is solved ${since ? `after move ${since}` : "at its start"}, and not after ${isOne ? "it" : "the last one"}.`)]
}
