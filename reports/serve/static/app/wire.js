// The socket to the server. A new question makes the server drop the one before; so old answers are ignored here.

const SOON = 250, LATE = 8000  // milliseconds until it is tried again to connect
const GONE = "The server has ended."

let socket, last = 0, number = 0, hear = () => {}, waiting = null, began = 0
const aside = { number: -1, hear: () => {}, waiting: null }  // the question about all levels of a text, which runs beside the others
const beside = { number: -1, hear: () => {}, waiting: null, began: 0 }  // the question about changes of the level, which a newer question ends
let there = null, pause = SOON, timer  // is the server there? null: not known yet
let status = () => {}, busy = () => {}

// `handler(true)` is called when the server is there, and `handler(false)` when it is not.
export function onStatus(handler) { status = handler }

// `handler(true)` is called when a question is asked, and `handler(false)` when nothing is searched any more.
export function onBusy(handler) { busy = handler }

export const isGone = () => there === false

export function connect() {
  clearTimeout(timer)
  const address = new URL("live", location.href)
  address.protocol = address.protocol.replace("http", "ws")
  address.hash = ""
  const made = socket = new WebSocket(address)
  made.onopen = () => {
    if (made !== socket) return made.close()
    pause = SOON
    there = true
    status(true)
    for (const each of [waiting, aside.waiting, beside.waiting]) if (each) made.send(each)
  }
  made.onmessage = event => {
    const answer = JSON.parse(event.data)
    if (answer.n === aside.number) {
      if (answer.kind === "done") aside.waiting = null
      return aside.hear(answer)
    }
    if (answer.n === beside.number) return answer.kind === "done" ? overBeside(answer) : beside.hear(answer)
    if (answer.n !== number) return
    if (answer.kind === "done") return over(answer)
    if (answer.kind === "saved") end()  // nothing comes after it
    hear(answer)
  }
  made.onclose = () => {
    if (made !== socket) return
    if (there) {  // the connection alone may have ended
      there = null
      return connect()
    }
    there = false
    status(false)
    if (waiting) over({ kind: "done", n: number, failed: GONE })
    if (beside.waiting) overBeside({ kind: "done", n: beside.number, failed: GONE })
    timer = setTimeout(connect, pause)
    pause = Math.min(LATE, 2 * pause)
  }
}

// Ask the server; `heard` gets each answer to this question, until another one is asked.
export function ask(question, heard) {
  number = last += 1
  hear = heard
  Object.assign(beside, { number: -1, waiting: null })
  waiting = JSON.stringify({ ...question, n: number })
  began = performance.now()
  busy(true)
  if (socket?.readyState === WebSocket.OPEN) socket.send(waiting)
  else if (there === false) {
    const asked = number
    setTimeout(() => { if (asked === number && there === false) over({ kind: "done", n: asked, failed: GONE }) })
  }
}

// Ask about all levels of a text, in the place of the last such question.
export function askAside(question, hear) {
  last += 1
  Object.assign(aside, { number: last, hear, waiting: JSON.stringify({ ...question, n: last }) })
  if (socket?.readyState === WebSocket.OPEN) socket.send(aside.waiting)
}

// Ask about changes of the level, beside the question of now; the next question ends it.
export function askBeside(question, hear) {
  last += 1
  Object.assign(beside, { number: last, hear, waiting: JSON.stringify({ ...question, n: last }) })
  if (!waiting) busy(true)
  if (socket?.readyState === WebSocket.OPEN) socket.send(beside.waiting)
}

function overBeside(done) {
  beside.waiting = null
  if (!waiting) busy(false)
  beside.hear(done)
}

function end() {
  waiting = null
  busy(Boolean(beside.waiting))
}

// The last answer, with the seconds that the question took.
function over(done) {
  end()
  hear({ ...done, seconds: (performance.now() - began) / 1000 })
}

// End the question that is not answered yet: its search ends, and what was found so far stays on the page.
export function stop() {
  const open = socket?.readyState === WebSocket.OPEN
  if (beside.waiting && open) socket.send(JSON.stringify({ ask: "stop", n: beside.number }))
  if (!waiting) return
  if (open) return socket.send(JSON.stringify({ ask: "stop", n: number }))
  over({ kind: "done", n: number, failed: "", stopped: true })
}
