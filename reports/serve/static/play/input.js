// Keys and pointers, as what they mean to the level that is played.

import { element } from "../picture/shapes.js"

const KEYS = {
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", Enter: "enter", " ": "space",
  x: "x", X: "x", ".": ".", ...Object.fromEntries([..."0123456789"].map(digit => [digit, digit])),
}
const TEXTS = "textarea,select,#editor,dialog,input:not([type=range])"  // they take all keys
const SLIDER = /^(Arrow|Page|Home|End)/  // keys that a slider takes

// `act` has what letters do; any other key of `KEYS` is one of the puzzle.
export function listenToKeys(play, act, signal) {
  document.addEventListener("keydown", event => {
    if (event.target.closest?.(TEXTS) || event.altKey || event.ctrlKey || event.metaKey) return
    if (event.target.closest?.("button,summary") && (event.key === "Enter" || event.key === " ")) return
    if (event.target.closest?.("input") && SLIDER.test(event.key)) return
    if (act[event.key]) act[event.key]()
    else if (KEYS[event.key]) play.key(KEYS[event.key])
    else return
    event.preventDefault()
  }, { signal })
}

// A click, a swipe or a drag on the board. It ends where the board ends.
export function listenToPointer(play) {
  const { svg, kind } = play
  let from = null, pressed = null
  const place = event => {
    const box = svg.getBoundingClientRect()
    return [(event.clientY - box.top) / box.height * play.height, (event.clientX - box.left) / box.width * play.width]
  }
  const cell = event => place(event).map(Math.floor)
  // Where a drag ends. One of half a cell or more is a swipe to the next cell, even if it ends in the first one.
  const end = event => {
    const to = cell(event), [down, right] = place(event).map((at, axis) => at - pressed[axis])
    const axis = Math.abs(down) > Math.abs(right) ? 0 : 1, by = axis ? right : down
    if (String(to) === String(from) && Math.abs(by) >= .5) to[axis] += Math.sign(by)
    return to
  }
  // What is dragged, and where to.
  const show = to => {
    const rect = (name, [y, x]) => element("rect", { class: name, x: x + .06, y: y + .06, width: .88, height: .88, rx: .12 })
    play.dragged.replaceChildren(...(to && String(to) !== String(from) ? [rect("hint", from), rect("hint-to", to)] : []))
  }
  svg.addEventListener("pointercancel", () => {
    from = null
    show(null)
  })
  svg.addEventListener("pointermove", event => { if (from && (!play.cursor || kind.taps)) show(cell(event)) })
  svg.addEventListener("pointerdown", event => {
    event.preventDefault()
    svg.focus({ preventScroll: true })
    svg.setPointerCapture(event.pointerId)
    from = cell(event)
    pressed = place(event)
  })
  svg.addEventListener("pointerup", event => {
    if (!from) return
    const first = from, to = kind.taps || play.cursor ? cell(event) : end(event)
    show(null)
    from = null
    if (play.cursor && !kind.taps) play.enter(to)
    else if (kind.taps && !play.picked && String(to) === String(first)) play.pick(first)
    else play.point(play.picked ?? first, to)
  })
}
