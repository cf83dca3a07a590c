// The workbench: the level, its history, and the question about it after each edit.

import { ask, askBeside, connect, isGone } from "./wire.js"
import { compareLevel } from "./compare.js"
import { connection } from "./connection.js"
import { byId, html, toast } from "./html.js"
import { searching } from "./searching.js"
import { Board } from "../draw/board.js"
import { Play } from "../play/play.js"
import { drawTools, likeThis, steps } from "../draw/draw.js"
import { howToPlay, showVerdict } from "./verdict.js"
import { brief, notFound } from "./words.js"
import { heatMap } from "../picture/heat.js"
import { refit, still } from "../picture/still.js"
import { likes } from "../draw/another.js"
import { Suggest } from "../draw/suggest.js"
import { cellAt, empty, emptyAs, textOf, withSigns } from "../draw/sheet.js"
import { openKey, post } from "../files/document.js"
import { Files } from "../files/files.js"
import { downloaded } from "../files/menu.js"
import { catchUp, emptyRows, paintable, paintedBoard, replaced } from "../draw/signs.js"
import { more } from "./more.js"
import { look } from "./look.js"
import { menus } from "./menus.js"
import { welcome } from "./welcome.js"
import { places } from "../picture/places.js"
import { blank, textOf as textOfTiles, Tiles } from "../draw/tiles.js"
import { Review } from "../files/review.js"
import * as texts from "../files/texts.js"
import { decode, encode, keepSoon, kept, keptLevel, linkIn } from "./address.js"

const MOST_KNOWN = 500  // answers that are kept, by the text of their levels
connect()
searching()
const listed = fetch("documents.json")
const about = await (await fetch("about.json")).json()
const known = new Map(), mine = new Map()  // answers about levels; the last solutions by the player, as texts
let hot = ""  // the heat map on the board: a family of facts and what is counted
let wantsText = false  // beside a board that can be drawn on
let tiles = null  // the tiles that are drawn on, in the place of a board
let puzzle, kind, history, board, playing = null
let settled = null, before = ""  // the last verdict with its level; that verdict in words, if the level is an edit of that one
let seen = ""  // the last text
let isLevel = true  // the text has no faults, as far as is known

const editor = {
  live: true,
  get sheet() { return history.now.sheet },
  get text() { return history.now.text },
  get history() { return history },
  edit(sheet, joined = false) {
    if (sheet === history.now.sheet) return
    put({ sheet, text: textOf(sheet, kind) }, joined)
  },
  fresh(sheet) { fresh({ sheet, text: textOf(sheet, kind) }) },
  undo() { return files.back(false) },
  redo() { return files.back(true) },
  another,
  pick: cell => suggest.pick(cell),
  put(text, joined) {
    put({ sheet: null, text }, joined)
    texts.write(text)
  },
}

// Another level, of which the verdict before says nothing.
function fresh(value) {
  settled = null
  put(value)
}

function put(value, joined = false) {
  if (history.put({ of: history.now.of, ...value }, joined)) changed()
}

// The level is another one: show it, and ask about it.
function changed() {
  const { sheet, text } = history.now
  if (board && sheet) board.show(sheet)
  else if (!playing) catchUp()
  tiles?.show(text, review.at)
  if (document.activeElement !== byId("source")) byId("source").value = text
  if (!board && !texts.isFocused()) texts.write(text)
  if (!board && !texts.akin(seen, text)) {
    settled = null
    review.forget()
    review.show()
  }
  seen = text
  before = settled?.level === review.at ? settled.words : ""
  byId("said")?.replaceChildren()
  files.changed()
  remember()
  question()
  steps(history)
}

const keyOf = ({ puzzle, level, text }) => `${puzzle}\n${level}\n${text}`
const keyNow = () => keyOf({ puzzle, level: review.at, text: history.now.text })

let patience
function question() {
  const { text } = history.now, level = review.at, key = keyNow()
  const found = known.get(key) ?? { metric: kind.metrics[0], of: { puzzle, text, level } }
  clearTimeout(patience)
  suggest.end(found)
  if (found.done) {
    ask({ ask: "open", puzzle, text: "" }, () => {})  // ends the question before
    show(found)
    return reviewAll(text)
  }
  found.waits = true  // an answer is likely to come at once: until then the page stays quiet
  const speak = () => {
    clearTimeout(patience)
    found.waits = false
    if (text === history.now.text) reviewAll(text)
  }
  patience = setTimeout(() => { speak(); show(found) }, 150)
  show(found)
  ask({ ask: "judge", puzzle, text, level }, answer => {
    found[answer.kind] = answer
    if (!["lost", "odd", "picture", "progress"].includes(answer.kind)) speak()
    if (answer.kind === "done" && !answer.failed && !answer.stopped) {
      known.set(key, found)
      if (known.size > MOST_KNOWN) known.delete(known.keys().next().value)
    }
    show(found)
  })
}

// Another level of the text is shown, or played.
const review = new Review({
  chosen: () => {
    files.at(review.at)
    settled = null
    before = ""
    byId("said").replaceChildren()
    remember()
    tiles?.show(history.now.text, review.at)
    if (!playing) return question()
    leave()
    play()
  },
  heard: () => files.list.follow(),
  about: () => ({ puzzle, name: files.document?.name ? files.document.title : "" }),
  download: downloaded,
})

// Ask for the verdicts on all levels of a text, unless they are there.
function reviewAll(text) {
  if (!kind.brushes && !review.covers(text)) review.ask(puzzle, text)
}

function show(found) {
  if (playing) return
  if (!board && (found.faults || found.verdict)) texts.faults(found.faults?.faults ?? [])
  if (found.verdict) {
    settled = { words: brief(found.verdict), level: review.at }
    review.takeOver(found.verdict, found.of)
  }
  if (board) {
    const above = history.now.sheet?.above ? history.now.sheet.above.split("\n").length : 0
    board.mark({
      lost: hot || suggest.spare.length ? [] : found.lost?.cells.filter(([row, column]) => history.now.sheet.rows[row]?.[column] === kind.brushes[0][0]),
      ring: found.why?.cells,
      hot: heatMap(found.hard, hot),
      spare: suggest.spare,
      fault: (found.faults?.faults ?? []).filter(each => each.line && each.column).map(each => [each.line - 1 - above, cellAt(history.now.text, each, kind)]),
    })
  } else if (tiles) {
    if (found.tiles) tiles.hear(history.now.text, review.at, found.tiles.tiles)
    tiles.ring(found.why)
  } else if (found.picture) showPicture(found.picture, heatMap(found.hard, hot))
  if (found.waits) return
  isLevel = !found.faults
  showPlayable()
  showVerdict(found, before, {
    sides: kind.sides,
    play: playable() ? () => play() : null,
    heat: { shown: hot, choose(value) { hot = value; show(found) } },
    report,
    again: () => question(),
    names: board ? Object.fromEntries(kind.brushes.map(([sign, name]) => [sign, name])) : {},
    places: !board,
    goTo: board || tiles ? null : texts.goTo,
    spare: suggest.spare.length > 0,
    heading: board ? history.now.sheet?.above : "",
    blank: board && history.now.sheet?.rows.every(row => row.every(sign => sign === kind.brushes[0][0])),
    blueprint: kind.optimises ? blueprint : null,
    watch: playable() ? () => { play(); playing.watch(found.verdict.moves) } : null,
  })
  suggest.show(found, kind)
}

const suggest = new Suggest(byId("suggest"), {
  ask: (want, quick, edit, heard) => askBeside({ ask: "suggest", puzzle, text: history.now.text, level: review.at, want, quick, edit }, heard),
  board: () => board ?? tiles ?? paintedBoard(),
  apply(change) {
    if (change.tiles) tiles.change(change.tiles)
    else if (board) editor.edit(change.paint ? withSigns(editor.sheet, change.paint) : change.sheet)
    else replaced(change.sheet)
    byId("stage").querySelector("svg")?.focus({ preventScroll: true })
  },
  shaded: show,
  own: () => mine.get(keyNow()) ?? "",
})

// Levels like this one, to choose from. What is chosen is no level of the collection: Save must not write it over the one that was open.
function another() {
  const { text } = history.now, level = review.at, found = known.get(keyNow())
  likes({ puzzle, text, level, cost: found?.verdict?.cost ?? null, metric: kind.metrics[0] }, {
    take(made) {
      if (made.sheet && !kind.brushes) return replaced(made.sheet)  // it stays a level of its game
      const value = made.sheet ? { sheet: made.sheet, text: textOf(made.sheet, kind) } : { sheet: null, text: tiles.like(made.tiles) }
      if (!files.document.isNamed) return made.sheet ? fresh(value) : tiles.take(made.tiles)  // undone like a stroke
      files.scratch(puzzle, value)
      toast("The new level is in no file yet: Alt+S adds it to the list")
    },
    closed: question,
  })
}

const showPicture = (found, map) => found.signs ? paintable(byId("stage"), found, editor, kind).mark({ hot: map }) : still(byId("stage"), found, map)

const remember = () => keepSoon(puzzle, history.now.text, review.at)

// The open level of a document comes onto the page; of a game, the one at `level`.
function display(document, level = document.of.shared ? document.of.at : 0) {
  if (history === document.history && document.of.shared && history.now.text === seen) return level === review.at ? undefined : review.choose(level)
  if (playing) draw()
  puzzle = document.puzzle
  kind = about[puzzle]
  settled = null
  history = document.history
  seen = history.now.text
  review.forget(level)
  byId("puzzle").value = puzzle
  setUp()
}

function setUp() {
  board = null
  byId("tools").replaceChildren()
  byId("stage").replaceChildren()
  if (kind.brushes && history.now.sheet) {
    board = new Board(byId("stage"), kind, editor)
    drawTools(kind, editor, board.hand)
  }
  tiles = kind.tiling ? new Tiles(byId("stage"), byId("tools"), kind, editor, text => put({ sheet: null, text })) : null
  if (!board && !tiles) byId("tools").replaceChildren(likeThis(kind, editor))
  isLevel = true
  showPlayable()
  offer(kind.exports, kind.signs)
  howToPlay(kind.how)
  review.show()
  showText(!(board || tiles) || wantsText)
  changed()
}

const open = (name, text) => post("rows", { ask: "open", n: 0, puzzle: name, text })

// A text from outside: in the address, pasted, typed. Returns what was found in it; null if it has no level.
// `away`: it does not replace the open level; `into`: it does that of this level, though another one may be open meanwhile; `level`: its number in the text.
async function take(name, text, { away = false, level = 0, into = null } = {}) {
  const opened = await open(name, text.slice(0, 100000))
  if (into && !files.isAt(into)) return files.write(into, text)
  if (opened.kind !== "opened") {
    toast(isGone() ? "The server has ended: the text cannot be read now" : opened.failed || notFound(text))
    if (history) question()
    return null
  }
  if (playing) draw()
  const value = { sheet: opened.sheet ?? null, text: opened.sheet ? textOf(opened.sheet, about[opened.puzzle]) : text }
  if (away || level || opened.puzzle !== puzzle) files.scratch(opened.puzzle, value, level)
  else if (Boolean(board) === Boolean(value.sheet)) value.sheet ? fresh(value) : put(value)
  else {
    history.put({ of: history.now.of, ...value })
    setUp()
  }
  return opened
}

const files = new Files({ about, open, display, changed: () => Boolean(board) === Boolean(history.now.sheet) ? changed() : setUp(), begin, blank: (name, sheet) => about[name].signs ? emptyRows() : emptyAs(about[name], sheet), judged: (at, count) => review.item(at, count) })

// A new level of a size; of a puzzle that is not drawn, its example.
async function begin(name, rows, columns) {
  const { sheet, first, tiling } = about[name]
  if (tiling || !sheet) await take(name, tiling ? textOfTiles(blank(rows), tiling) : first, { away: true })
  else {
    const made = empty(about[name], rows, columns)
    files.scratch(name, { sheet: made, text: textOf(made, about[name]) })
  }
  byId("stage").querySelector("svg")?.focus({ preventScroll: true })
}

const playable = () => !kind.optimises && isLevel

function showPlayable() {
  const why = kind.optimises ? "There are no moves to play: the best layout is searched" : isLevel ? "" : board || tiles ? "Not a level yet: see what is missing" : "There is a fault in the text"
  byId("play-mode").disabled = Boolean(why)
  byId("play-mode").title = why || "Play the level (Ctrl+Enter)"
}

function play() {
  if (playing || !playable()) return
  board = tiles = null
  suggest.hide()
  byId("draw-mode").setAttribute("aria-pressed", "false")
  byId("play-mode").setAttribute("aria-pressed", "true")
  for (const name of ["source", "editor", "welcome"]) byId(name).hidden = true
  byId("text").setAttribute("aria-expanded", "false")
  playing = new Play(byId("stage"), byId("tools"), { puzzle, text: history.now.text, level: review.at }, kind, {
    idle: () => reviewAll(history.now.text), next: nextLevel, known: () => known.get(keyNow())?.verdict,
    record: () => files.list.record(),
  })
}

// The level after the one that is played, in the list or in the same text, as a function that opens it; null if it is the last one.
function nextLevel() {
  const next = files.list.beside(1)
  if (next) return async () => { await files.choose(next.document, next.at); play() }
  return files.list.open === null && review.at + 1 < review.titles.length ? () => review.choose(review.at + 1) : null
}

function draw() {
  if (!playing) return
  leave()
  byId("draw-mode").setAttribute("aria-pressed", "true")
  byId("play-mode").setAttribute("aria-pressed", "false")
  setUp()
  byId("stage").querySelector("svg")?.focus({ preventScroll: true })
}

function leave() {
  if (playing.solved) mine.set(keyOf(playing.level), playing.solved.join(" "))
  playing.close()
  playing = null
}

function showText(shown) {
  const written = shown && !board
  byId("source").hidden = !shown || (written && texts.ready())
  byId("editor").hidden = !written || !texts.ready()
  texts.colours(puzzle === "puzzlescript")
  if (written && !texts.ready()) texts.edit(text => typed(text)).then(() => {
    if (board || playing) return
    texts.write(history.now.text)
    showText(true)
  })
  byId("text").setAttribute("aria-expanded", String(shown))
  board?.resize()
}

async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text)
    toast(said)
  } catch {
    showText(true)
    byId("source").select()
    toast("Copy the selected text")
  }
}

menus()
look()
welcome()
places()
byId("draw-mode").onclick = draw
byId("play-mode").onclick = () => files.ready().then(play)  // a chosen level may not have come yet
byId("copy").onclick = () => files.ready().then(() => copy(history.now.text, kind.signs ? "The whole game is copied, with all its levels" : "The level is copied"))
byId("link").onclick = async () => copy(await encode(puzzle, history.now.text, review.at), `The link is copied${kind.signs ? ": it is the whole game" : ""}. Paste it into any open workbench, or run puzzlemc serve 'LINK'`)
byId("text").onclick = () => {
  wantsText = byId("text").getAttribute("aria-expanded") !== "true"
  showText(wantsText)
}
byId("puzzle").onchange = event => start(event.target.value)

// What is typed comes into the level that was open then, soon; Save waits for it.
let typing, settle = () => {}
function typed(text) {
  const into = { document: files.document, key: openKey(history.now) }, before = settle
  clearTimeout(typing)
  files.typing = new Promise(done => { settle = () => { before(); done() } })
  const done = settle
  typing = setTimeout(async () => {
    if (kind.brushes) await take(puzzle, text.slice(0, 100000), { into })
    else if (files.isAt(into)) put({ sheet: null, text: text.slice(0, 100000) })
    else files.write(into, text.slice(0, 100000))
    done()
  }, 120)
}
// Several levels come into the open document behind the open level, or are a new one.
async function pasted(text) {
  const found = await open("", text.slice(0, 100000))
  if (found.kind !== "opened" || found.count < 2 || found.puzzle === "puzzlescript") return take("", text)
  if (files.document.isNamed && found.puzzle === puzzle) await files.levels.put(text)
  else await files.read(new File([text], ""))
}
byId("source").oninput = () => typed(byId("source").value)

document.addEventListener("keydown", event => {
  if (!(event.ctrlKey || event.metaKey)) return
  if (event.key === "Enter") files.ready().then(() => playing ? draw() : play())
  else if (event.target.closest?.("textarea,#editor,input,dialog")) return
  else if (event.key.toLowerCase() === "z") event.shiftKey ? (playing ?? editor).redo() : (playing ?? editor).undo()
  else if (event.key.toLowerCase() === "y") (playing ?? editor).redo()
  else if (playing) return
  else if (event.key.toLowerCase() === "c" && !String(getSelection())) byId("copy").click()
  else return
  event.preventDefault()
})
document.addEventListener("keydown", event => {
  if (event.key !== "Escape" || !(board || tiles) || !wantsText) return
  wantsText = false
  showText(false)
  byId("text").focus()
})
document.addEventListener("paste", event => {
  if (event.target.closest?.("textarea,#editor,input,dialog")) return
  const text = event.clipboardData.getData("text")
  event.preventDefault()  // the dialog that a text opens has a field, which would take the text once more
  if (linkIn(text)) follow(linkIn(text))
  else if (text.trim()) playing ? playing.paste(text) : pasted(text)
})
new ResizeObserver(() => {
  tiles?.resize()
  playing?.resize()
  refit()
}).observe(byId("stage"))
// Open the level of a link, if it has one of a puzzle that is known here.
async function follow(link) {
  const found = await decode(link)
  if (!found || !about[found.puzzle]) return toast(found ? `The link is a level of ${found.puzzle}, which is not known here` : "The link holds no level: it may have lost its end")
  if (found.text !== history.now.text) take(found.puzzle, found.text, { level: found.level, away: true })
  else if (found.level !== review.at) review.choose(found.level)
}
addEventListener("hashchange", () => { if (linkIn(location.hash)) follow(linkIn(location.hash)) })
const goOn = () => { if (playing) playing.again(); else question() }
connection(goOn)
byId("compare").onclick = () => compareLevel({ puzzle, level: review.at, about, history, list: files.list, known, closed: goOn })

async function start(name) {
  const text = kept(name) ?? about[name].first
  const { sheet } = about[name]
  if (sheet && text === about[name].first) return files.scratch(name, { sheet, text: textOf(sheet, about[name]) })
  const level = keptLevel(name)
  if (!(await take(name, text, { away: true, level }))) files.scratch(name, { sheet: null, text }, level)
}

for (const name of Object.keys(about)) byId("puzzle").append(html("option", { value: name }, name))
const { report, share, blueprint, offer } = more(byId("more").querySelector("div"), {
  level: () => ({ puzzle, text: history.now.text, level: review.at }),
  show: moves => { play(); playing?.from(moves) },
  again: goOn,
  copy,
})
byId("share").onclick = () => files.ready().then(share)
const { found, at } = await files.begin(await (await listed).json())
const opening = location.hash, linked = await decode(opening), followed = linked && about[linked.puzzle]
if (files.chosen) await files.chosen  // a click on the list was faster
else if (found ?? (!linked && files.documents[0]?.number === 0)) await files.choose(found ?? files.documents[0], at)
else if (followed) await take(linked.puzzle, linked.text, { away: true, level: linked.level })
for (let last; !history && last !== files.chosen;) await (last = files.chosen).catch(() => {})  // a level was chosen while the first one was on its way
if (!history) await start(kept("last") in about ? kept("last") : Object.keys(about)[0])
if (linkIn(opening) && !followed) follow(opening)  // says why not
