// The state graph. Zooming and dragging change its viewBox; the page shows the board of the selected state.
(() => {
  const $ = (id) => document.getElementById(id);
  const data = JSON.parse($("graph-data").textContent);
  const { places, boards, kinds, sizes, depths, metric, one, words, start } = data;
  const picture = $("graph-picture");
  const shapes = $("graph-shapes") ? [...$("graph-shapes").children] : null;
  const whole = picture.viewBox.baseVal;
  const fit = { x: whole.x, y: whole.y, width: whole.width, height: whole.height };
  const CLOSEST = 60; // the least width of the viewBox, in units of the picture
  let view = { ...fit }, chosen = null;
  const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
  ring.id = "chosen";
  ring.setAttribute("r", 8);
  ring.setAttribute("visibility", "hidden");
  picture.append(ring);

  function look(next) {
    const width = Math.max(Math.min(CLOSEST, fit.width), Math.min(fit.width, next.width));
    const height = fit.height * width / fit.width;
    const within = (least, value, most) => Math.max(least, Math.min(most, value));
    view = {
      x: within(fit.x, next.x, fit.x + fit.width - width), y: within(fit.y, next.y, fit.y + fit.height - height),
      width, height,
    };
    picture.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
    const all = width >= fit.width;
    // While all of the picture is visible, a finger scrolls the page; otherwise it drags the picture.
    picture.classList.toggle("near", !all);
    $("graph-out").disabled = $("graph-fit").disabled = all;
    $("graph-in").disabled = width <= CLOSEST;
  }
  function at(x, y) {
    return new DOMPoint(x, y).matrixTransform(picture.getScreenCTM().inverse());
  }
  function zoom(by, point) {
    const middle = chosen === null ? [view.x + view.width / 2, view.y + view.height / 2] : places[chosen];
    const { x, y } = point ?? { x: middle[0], y: middle[1] };
    const width = Math.max(Math.min(CLOSEST, fit.width), Math.min(fit.width, view.width / by));
    const part = width / view.width;
    look({ x: x - (x - view.x) * part, y: y - (y - view.y) * part, width });
  }
  function move(right, down) { look({ ...view, x: view.x + right, y: view.y + down }); }

  function choose(node) {
    if (shapes && chosen !== null) for (const shape of boards[chosen]) shapes[shape].setAttribute("visibility", "hidden");
    chosen = node;
    const [x, y] = places[node];
    ring.setAttribute("cx", x);
    ring.setAttribute("cy", y);
    ring.removeAttribute("visibility");
    if (shapes) for (const shape of boards[node]) shapes[shape].removeAttribute("visibility");
    else $("graph-text").textContent = boards[node];
    const depth = metric && `${depths[node].toLocaleString("en")} ${depths[node] === 1 ? one : metric} from the start; `;
    const states = sizes[node] === 1 ? "1 state" : `${sizes[node].toLocaleString("en")} states, of which this is one`;
    $("graph-node").textContent = `${node === start ? "The start. " : ""}${words[kinds[node]]}. ${depth}${states}.`;
    // If the node is outside the visible part, move the picture.
    const out = x < view.x || y < view.y || x > view.x + view.width || y > view.y + view.height;
    if (out) look({ ...view, x: x - view.width / 2, y: y - view.height / 2 });
  }
  function nearest(x, y) {
    let best = null, least = Infinity;
    places.forEach(([left, top], node) => {
      const distance = (left - x) ** 2 + (top - y) ** 2;
      if (distance < least) [best, least] = [node, distance];
    });
    return [best, Math.sqrt(least)];
  }
  // The nearest node in a direction; a sideways distance counts more than a forward one.
  function beside(right, down) {
    const [x, y] = places[chosen];
    let best = chosen, least = Infinity;
    places.forEach(([left, top], node) => {
      const along = (left - x) * right + (top - y) * down;
      const aside = Math.abs((left - x) * down + (top - y) * right);
      if (along > 0 && along + 2 * aside < least) [best, least] = [node, along + 2 * aside];
    });
    return best;
  }

  const fingers = new Map();
  let moved = 0;
  picture.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    fingers.set(event.pointerId, event);
    if (fingers.size === 1) moved = 0;
  });
  picture.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const others = [...fingers.values()].filter((finger) => finger.pointerId !== event.pointerId);
    const unit = 1 / picture.getScreenCTM().a;
    moved += Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY);
    if (moved > 6 && !picture.hasPointerCapture(event.pointerId)) picture.setPointerCapture(event.pointerId);
    if (others.length) {
      const far = (one, other) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      const middle = at((event.clientX + others[0].clientX) / 2, (event.clientY + others[0].clientY) / 2);
      zoom(far(event, others[0]) / Math.max(1, far(before, others[0])), middle);
    } else if (moved > 6) {
      move((before.clientX - event.clientX) * unit, (before.clientY - event.clientY) * unit);
    }
    fingers.set(event.pointerId, event);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    picture.addEventListener(end, (event) => {
      if (!fingers.delete(event.pointerId) || end !== "pointerup" || moved > 6) return;
      const { x, y } = at(event.clientX, event.clientY);
      const [node, distance] = nearest(x, y);
      if (distance * picture.getScreenCTM().a < 24) choose(node);
    });
  }
  // The wheel scrolls the page, until the picture has the focus.
  picture.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && document.activeElement !== picture) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), at(event.clientX, event.clientY));
  }, { passive: false });
  const keys = {
    ArrowLeft: () => choose(beside(-1, 0)), ArrowRight: () => choose(beside(1, 0)),
    ArrowUp: () => choose(beside(0, -1)), ArrowDown: () => choose(beside(0, 1)),
    Home: () => choose(start), "+": () => zoom(1.5), "=": () => zoom(1.5), "-": () => zoom(1 / 1.5), 0: () => look(fit),
  };
  picture.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
  $("graph-in").addEventListener("click", () => zoom(1.5));
  $("graph-out").addEventListener("click", () => zoom(1 / 1.5));
  $("graph-fit").addEventListener("click", () => look(fit));
  look(fit);
  choose(start);
})();
