/* Search of the site runs in a Worker, and browsers start none from file: addresses. There it runs in a hidden frame. */
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      const inside = frame.contentWindow
      const load = address => new Promise((done, failed) => {
        const script = frame.contentDocument.createElement("script")
        Object.assign(script, { src: new URL(address, document.baseURI), onload: done, onerror: failed })
        frame.contentDocument.body.append(script)
      })
      inside.importScripts = (...addresses) => Promise.all(addresses.map(load))
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      this.inside = inside
      this.ready = load(url)
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })))
    }
  }
