// The socket to the server. A new question makes the server drop the one before; so old answers are ignored here.

let socket, number = 0, hear = () => {}, waiting = null, pause = 250
let status = () => {}, busy = () => {}, began = 0

export function onStatus(handler) { status = handler }

// `handler(true)` is called when a question is asked, and `handler(false)` when nothing is searched any more.
export function onBusy(handler) { busy = handler }

export function connect() {
  const address = new URL("live", location.href)
  address.protocol = address.protocol.replace("http", "ws")
  address.hash = ""
  socket = new WebSocket(address)
  socket.onopen = () => {
    pause = 250
    status(true)
    if (waiting) socket.send(waiting)
  }
  socket.onmessage = event => {
    const answer = JSON.parse(event.data)
    if (answer.n !== number) return
    answer.kind === "done" ? over(answer) : hear(answer)
  }
  socket.onclose = () => {
    status(false)
    setTimeout(connect, pause)
    pause = Math.min(8000, 2 * pause)
  }
}

// Ask the server; `heard` gets each answer to this question, until another one is asked.
export function ask(question, heard) {
  number += 1
  hear = heard
  waiting = JSON.stringify({ ...question, n: number })
  began = performance.now()
  busy(true)
  if (socket?.readyState === WebSocket.OPEN) socket.send(waiting)
}

// The last answer, with the seconds that the question took.
function over(done) {
  waiting = null
  busy(false)
  hear({ ...done, seconds: (performance.now() - began) / 1000 })
}

// End the question that is not answered yet: its search ends, and what was found so far stays on the page.
export function stop() {
  if (!waiting) return
  if (socket?.readyState === WebSocket.OPEN) return socket.send(JSON.stringify({ ask: "stop", n: number }))
  over({ kind: "done", n: number, failed: "", stopped: true })
}
