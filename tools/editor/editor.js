// The editor for texts of games: line numbers, undo, highlighting, and faults at their lines.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands"
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language"
import { lintGutter, setDiagnostics } from "@codemirror/lint"
import { Compartment, EditorState, Transaction } from "@codemirror/state"
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view"
import { tags } from "@lezer/highlight"

const SECTIONS = /^(objects|legend|sounds|collisionlayers|rules|winconditions|levels)\b/i
const WORDS = /^(late|rigid|random|randomdir|again|cancel|win|restart|checkpoint|message|startloop|endloop|no|all|any|some|on|and|or)\b/i
const WAYS = /^(up|down|left|right|moving|stationary|action|parallel|perpendicular|orthogonal|horizontal|vertical|[<>^v](?=[\s\]]))/i
const COLOURS = /^(#[0-9a-f]{3,6}\b|(black|white|gr[ae]y|(dark|light)(gr[ae]y|red|brown|green|blue)|red|brown|orange|yellow|green|blue|lightblue|purple|pink|transparent)\b)/i

// Comments stand in parentheses, and may be nested; words show everything else.
const game = StreamLanguage.define({
  name: "game",
  startState: () => ({ depth: 0 }),
  token(stream, state) {
    if (state.depth || stream.peek() === "(") {
      while (!stream.eol()) {
        const sign = stream.next()
        if (sign === "(") state.depth += 1
        if (sign === ")" && --state.depth === 0) break
      }
      return "comment"
    }
    if (stream.eatSpace()) return null
    if (stream.match(/^=+\s*$/)) return "comment"
    if (stream.sol() && stream.match(SECTIONS)) return "heading"
    if (stream.match(COLOURS)) return "number"
    if (stream.match(/^->|^[[\]|]/)) return "operator"
    if (stream.match(WORDS)) return "keyword"
    if (stream.match(WAYS)) return "atom"
    stream.match(/^\w+/) || stream.next()
    return null
  },
})

const look = HighlightStyle.define([
  { tag: tags.heading, color: "var(--accent)", fontWeight: "700" },
  { tag: tags.keyword, color: "var(--bad)" },
  { tag: tags.atom, color: "var(--good)" },
  { tag: tags.number, color: "var(--warn)" },
  { tag: tags.operator, color: "var(--accent)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
])

const theme = EditorView.theme({
  "&": { height: "100%", fontSize: "var(--written,14px)", background: "var(--card)", color: "var(--text)" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-scroller": { fontFamily: 'ui-monospace,"DejaVu Sans Mono",monospace', lineHeight: "1.4" },
  ".cm-gutters": { background: "var(--card)", color: "var(--soft)", border: "0" },
  ".cm-activeLine": { background: "var(--press)" },
  "&.cm-focused": { outline: "none" },
  ".cm-selectionBackground, &.cm-focused .cm-selectionBackground": { background: "var(--edge)" },
  ".cm-tooltip": { background: "var(--card)", color: "var(--text)", border: "1px solid var(--edge)" },
})

// An editor in a place, with the colours of games if `colours` is set; `changed(text)` is called after each edit. It lives in a shadow root, where styles need no markup.
export function editor(place, changed) {
  const root = place.shadowRoot ?? place.attachShadow({ mode: "open" })
  const words = new Compartment()
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      extensions: [
        lineNumbers(), history(), drawSelection(), highlightActiveLine(), lintGutter(), words.of([]), syntaxHighlighting(look), theme,
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({ "aria-label": "The level as text" }),
        EditorView.updateListener.of(update => { if (update.docChanged && !quiet) changed(view.state.doc.toString()) }),
      ],
    }),
  })
  let quiet = false
  // From a place to the end of its line.
  const at = ({ line, column }) => {
    const row = view.state.doc.line(Math.max(1, Math.min(line ?? 1, view.state.doc.lines)))
    return { from: Math.min(row.to, row.from + Math.max(0, (column ?? 1) - 1)), to: row.to }
  }
  return {
    get text() { return view.state.doc.toString() },
    // Only what differs is replaced: the rest stays in sight. Undo in the editor does not take it back.
    set text(text) {
      const before = view.state.doc.toString()
      if (text === before) return
      let from = 0, to = before.length, end = text.length
      while (from < to && from < end && before[from] === text[from]) from += 1
      while (to > from && end > from && before[to - 1] === text[end - 1]) to -= 1, end -= 1
      quiet = true
      view.dispatch({ changes: { from, to, insert: text.slice(from, end) }, annotations: Transaction.addToHistory.of(false) })
      quiet = false
    },
    set colours(on) { view.dispatch({ effects: words.reconfigure(on ? game : []) }) },
    faults(found) { view.dispatch(setDiagnostics(view.state, found.map(each => ({ ...at(each), severity: "error", message: each.message })))) },
    // The cursor goes to a place, which comes into sight.
    show(place, focus = true) {
      const { from } = at(place)
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) })
      if (focus) view.focus()
    },
    get focused() { return view.hasFocus },
    focus() { view.focus() },
  }
}
