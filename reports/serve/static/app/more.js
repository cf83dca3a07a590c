// Files to download, a certificate to check, and formulas about the level.

import { byId, html, button, toast } from "./html.js"
import { ask } from "./wire.js"

const MOST_UPLOAD = 2 ** 26

const said = (...words) => byId("said").replaceChildren(...words)

// What the buttons take: of a game, Copy and Link take the source with all its levels, and Share the level alone.
function takes(isGame) {
  byId("copy").title = `Copy ${isGame ? "the whole game, with all its levels," : "the level"} as text (Ctrl+C)`
  byId("link").title = `Copy a link that is ${isGame ? "the whole game, and opens this level of it" : "the level"}: any open workbench takes it by paste`
  byId("share").title = `Download the level${isGame ? " alone, without the source of its game," : ""} as one HTML file that plays by itself, for people who have nothing installed`
}

// Returns the function that makes the report, and one that offers exports of a puzzle. `level()` is the question's level, `show(moves)` the position after moves from its start;
// `again()` asks anew what the page waited for: a question ends the one before. `copy(text, said)` copies.
export function more(place, { level, show, again, copy }) {
  const make = (what, how = () => ({})) => () => {
    const tell = what === "page" ? toast : said
    if (what !== "page") byId("more").open = true  // where it is said
    tell(`The ${what} is made…`)
    ask({ ask: "make", what, ...level(), ...how() }, answer => {
      if (answer.failed) tell(answer.failed)
      if (answer.kind === "done") again()
      else if (answer.kind === "file" && !answer.failed) {
        const href = `file/${answer.file}`
        if (what === "report") {
          const link = html("a", { href, target: "_blank" }, "Open the report")
          said(link)
          link.click()
        } else {
          tell(`${answer.name} is downloaded${what === "certificate" ? `; puzzlemc verify ${answer.name} checks it` : what === "page" ? ": it plays in any browser, with nothing installed" : ""}.`)
          html("a", { href, download: answer.name }).click()
        }
      }
    })
  }
  const file = html("input", { type: "file", hidden: true, "aria-hidden": "true", tabindex: -1, onchange: async () => {
    const [chosen] = file.files
    file.value = ""
    if (!chosen) return
    if (chosen.size > MOST_UPLOAD) return toast("The file has more than 64 MiB: use puzzlemc verify")
    said("The certificate is checked…")
    const answer = await fetch("verify", { method: "POST", body: chosen })
    const { status, words } = answer.ok ? await answer.json() : { status: "not checked", words: "the server refused the file" }
    said(`${status}: ${words}`)
  } })
  const formula = html("input", {
    type: "text", placeholder: "AG EF solved", "aria-label": "Formula", spellcheck: "false", title: "A formula of CTL, such as EF solved; Enter asks",
    onkeydown: event => { if (event.key === "Enter") query() },
  })
  function query() {
    said("…")
    ask({ ask: "ask", ...level(), formula: formula.value || formula.placeholder }, answer => {
      if (answer.kind === "done") return again()
      if (answer.kind !== "answer") return
      if (answer.failed) return said(answer.failed)
      const holds = answer.holds == null ? `Not known: ${answer.reason}` : `${answer.holds ? "It holds" : "It does not hold"} at the start of the level.`
      const { moves } = answer
      said(holds, moves?.length ? button(`Show the ${moves.length} moves`, "The witness or the counterexample on the board", () => show(moves)) : "")
    })
  }
  const steps = html("input", { type: "number", class: "number", min: 0, max: 1000, value: 10, "aria-label": "Steps", title: "The most steps of a solution" })
  const limit = html("label", { hidden: true }, "steps ", steps)
  const formats = html("select", { "aria-label": "Format", title: "A format for other tools: model checkers, solvers, planners, viewers of graphs", onchange: () => { limit.hidden = formats.value !== "dimacs" } })
  const exports = html("div", { class: "row" }, formats, limit, button("Export", "Download the level in this format",
    make("export", () => ({ to: formats.value, bound: Math.min(1000, Math.max(0, Math.round(Number(steps.value)))) }))))
  place.replaceChildren(
    html("div", { class: "row" },
      button("Certificate", "Download a proof of the verdict, which puzzlemc verify checks", make("certificate")),
      button("Check a file…", "Check a certificate that you have, trusting no search", () => file.click()), file),
    exports,
    html("div", { class: "row" }, formula, button("Ask", "Does the formula hold?", query)),
    html("p", { id: "said", role: "status" }))
  const blueprint = () => {
    toast("The best layout is searched…")
    ask({ ask: "make", what: "blueprint", ...level() }, answer => {
      if (answer.kind === "file" && !answer.failed) copy(answer.text, "The blueprint is copied")
      else if (answer.failed) toast(answer.failed)
    })
  }
  return {
    report: make("report"),
    share: make("page"),
    blueprint,
    offer(names, isGame) {
      takes(isGame)
      formats.replaceChildren(...names.map(name => html("option", { value: name }, name)))
      exports.hidden = !names.length
      limit.hidden = formats.value !== "dimacs"
    },
  }
}
