// A picture that the wheel and two fingers zoom, and that one finger or the mouse shifts.

const STEP = 1.5  // of a button or a key
const STILL = 6  // pixels that a click may move

export class Zoom {
  // `fit` is the view of the whole picture, `closest` the least width of a view; `click(x, y)` hears clicks, by places in the picture.
  constructor(svg, click) {
    Object.assign(this, { svg, click, fit: null, view: null, closest: 1 })
    this.fingers = new Map()
    this.moved = 0
    this.listen()
  }

  // Show the whole of another picture.
  begin(fit, closest) {
    Object.assign(this, { fit, closest: Math.min(closest, fit.width) })
    this.look(fit)
  }

  look({ x, y, width }) {
    const { fit, closest } = this, within = (least, value, most) => Math.max(least, Math.min(most, value))
    const wide = within(closest, width, fit.width), high = fit.height * wide / fit.width
    this.view = { x: within(fit.x, x, fit.x + fit.width - wide), y: within(fit.y, y, fit.y + fit.height - high), width: wide, height: high }
    this.svg.classList.toggle("near", wide < fit.width)  // else a finger scrolls the page
    this.svg.setAttribute("viewBox", `${this.view.x} ${this.view.y} ${wide} ${high}`)
  }

  // The place in the picture below a point of the page.
  at(x, y) { return new DOMPoint(x, y).matrixTransform(this.svg.getScreenCTM().inverse()) }

  // Zoom so that a place stays where it is.
  by(factor, place = { x: this.view.x + this.view.width / 2, y: this.view.y + this.view.height / 2 }) {
    const { view, fit, closest } = this, width = Math.max(closest, Math.min(fit.width, view.width / factor)), part = width / view.width
    this.look({ x: place.x - (place.x - view.x) * part, y: place.y - (place.y - view.y) * part, width })
  }

  nearer() { this.by(STEP) }
  further() { this.by(1 / STEP) }
  all() { this.look(this.fit) }

  // Shift the view if a place is out of it.
  bring([x, y]) {
    const { view } = this
    if (x < view.x || y < view.y || x > view.x + view.width || y > view.y + view.height) this.look({ ...view, x: x - view.width / 2, y: y - view.height / 2 })
  }

  listen() {
    const { svg, fingers } = this
    svg.addEventListener("wheel", event => {
      event.preventDefault()
      this.by(Math.exp(-event.deltaY * (event.ctrlKey ? .01 : .002)), this.at(event.clientX, event.clientY))
    }, { passive: false })
    svg.addEventListener("pointerdown", event => {
      if (event.button !== 0) return
      fingers.set(event.pointerId, event)
      if (fingers.size === 1) this.moved = 0
    })
    svg.addEventListener("pointermove", event => {
      const before = fingers.get(event.pointerId)
      if (!before) return
      const [other] = [...fingers.values()].filter(each => each.pointerId !== event.pointerId)
      this.moved += Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY)
      if (this.moved > STILL && !svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId)
      if (other) {
        const far = each => Math.hypot(each.clientX - other.clientX, each.clientY - other.clientY)
        this.by(far(event) / Math.max(1, far(before)), this.at((event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2))
      } else if (this.moved > STILL) {
        const unit = 1 / svg.getScreenCTM().a
        this.look({ ...this.view, x: this.view.x + (before.clientX - event.clientX) * unit, y: this.view.y + (before.clientY - event.clientY) * unit })
      }
      fingers.set(event.pointerId, event)
    })
    for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, event => {
      if (!fingers.delete(event.pointerId) || end !== "pointerup" || this.moved > STILL) return
      const { x, y } = this.at(event.clientX, event.clientY)
      this.click(x, y)
    })
  }
}
