// The socket to the server. A new question makes the server drop the one before; so old answers are ignored here.

let socket, number = 0, hear = () => {}, waiting = null, pause = 250
let status = () => {}

export function onStatus(handler) { status = handler }

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
    if (answer.kind === "done") waiting = null
    hear(answer)
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
  if (socket?.readyState === WebSocket.OPEN) socket.send(waiting)
}
