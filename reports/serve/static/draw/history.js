// Undo and redo without end: every value that was, in order.

export class History {
  constructor(first) { this.past = []; this.now = first; this.future = [] }

  // `joined`: the same stroke goes on, so that one undo takes all of it back.
  put(value, joined = false) {
    if (value === this.now) return false
    if (!joined) this.past.push(this.now)
    this.now = value
    this.future = []
    return true
  }

  undo() {
    if (!this.past.length) return false
    this.future.push(this.now)
    this.now = this.past.pop()
    return true
  }

  redo() {
    if (!this.future.length) return false
    this.past.push(this.now)
    this.now = this.future.pop()
    return true
  }
}
