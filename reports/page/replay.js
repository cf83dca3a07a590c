// The replay: shows the picture of a step, and keeps the step in the address, so that it can be shared.
(() => {
  const $ = (id) => document.getElementById(id);
  const { moves, frames, costs, one } = JSON.parse($("replay").textContent);
  const shapes = [...$("shapes").children];
  const letters = [...$("moves").querySelectorAll("a")];
  const icon = $("play").querySelector("path");
  const [playing, paused] = ["M3 2h3.500v12H3zM9.500 2H13v12H9.500z", icon.getAttribute("d")];
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let step = 0, timer = null;

  // Shows a step, and does not change the address.
  function show(next) {
    for (const shape of frames[step]) shapes[shape].setAttribute("visibility", "hidden");
    const last = step;
    step = Math.max(0, Math.min(moves.length, next));
    for (const shape of frames[step]) shapes[shape].removeAttribute("visibility");
    const spent = Object.entries(costs).map(([metric, sums]) => `${sums[step]} ${sums[step] === 1 ? one[metric] : metric}`).join(", ");
    const move = step ? `, ${moves[step - 1]}` : "";
    $("where").textContent = `Step ${step} of ${moves.length}${move} · ${spent}`;
    $("seek").value = step;
    $("seek").setAttribute("aria-valuetext", $("where").textContent);
    for (let n = Math.min(last, step); n < Math.max(last, step); n++) letters[n].classList.toggle("done", n < step);
    const focused = letters.includes(document.activeElement);
    for (const [n, on] of [[last, false], [step, true]]) {
      const letter = letters[n - 1];
      if (!letter) continue;
      if (on) letter.setAttribute("aria-current", "step"); else letter.removeAttribute("aria-current");
    }
    // The Tab key reaches only the letter of the current step.
    letters[Math.max(0, last - 1)].tabIndex = -1;
    const here = letters[Math.max(0, step - 1)];
    here.tabIndex = 0;
    if (focused) here.focus({ preventScroll: true });
    const box = $("moves");
    if (box.scrollHeight > box.clientHeight) box.scrollTop = here.offsetTop - box.clientHeight / 2;
    $("first").disabled = $("back").disabled = step === 0;
    $("last").disabled = $("forth").disabled = step === moves.length;
    if (step === moves.length && timer !== null) stop();
  }
  function addressed() {
    const found = /^#step=(\d{1,9})$/.exec(location.hash);
    return found ? Math.min(moves.length, Number(found[1])) : null;
  }
  // A single step replaces the address; a jump adds one to the history, so that the reader can go back.
  function keep() {
    if (addressed() !== step) history.replaceState(null, "", `#step=${step}`);
  }
  function walk(next) { pause(); show(next); keep(); }
  function jump(next) {
    pause();
    show(next);
    if (addressed() !== step) location.hash = `#step=${step}`;
  }
  function pause() {
    clearInterval(timer);
    timer = null;
    $("where").setAttribute("aria-live", "polite");
    $("play").setAttribute("aria-label", "Play");
    icon.setAttribute("d", paused);
  }
  function stop() { pause(); keep(); }
  function play() {
    if (step === moves.length) show(0);
    $("where").setAttribute("aria-live", "off");
    $("play").setAttribute("aria-label", "Pause");
    icon.setAttribute("d", playing);
    clearInterval(timer);
    timer = setInterval(() => show(step + 1), 1000 / Number($("speed").value));
  }
  function pace(by) {
    const speed = $("speed");
    speed.selectedIndex = Math.max(0, Math.min(speed.length - 1, speed.selectedIndex + by));
    if (timer !== null) play();
  }
  const keys = {
    " ": () => (timer === null ? play() : stop()),
    ArrowLeft: () => walk(step - 1), ArrowRight: () => walk(step + 1),
    Home: () => jump(0), End: () => jump(moves.length),
    "+": () => pace(1), "-": () => pace(-1),
  };
  $("play").addEventListener("click", keys[" "]);
  $("first").addEventListener("click", keys.Home);
  $("back").addEventListener("click", keys.ArrowLeft);
  $("forth").addEventListener("click", keys.ArrowRight);
  $("last").addEventListener("click", keys.End);
  $("seek").addEventListener("input", () => { pause(); show(Number($("seek").value)); });
  $("seek").addEventListener("change", () => jump(Number($("seek").value)));
  $("speed").addEventListener("change", () => { if (timer !== null) play(); });
  addEventListener("hashchange", () => {
    // An address without a step is that of the start.
    const next = location.hash === "" ? 0 : addressed();
    if (next !== null && next !== step) { pause(); show(next); }
  });
  document.addEventListener("keydown", (event) => {
    const inside = event.target.closest("button, input, select, summary, .scroll, .graph");
    const own = inside && (event.key === " " || !inside.matches("button"));
    if (own || event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
  const unfold = $("unfold");
  unfold?.addEventListener("click", () => {
    const open = unfold.getAttribute("aria-expanded") !== "true";
    unfold.setAttribute("aria-expanded", open);
    unfold.textContent = unfold.dataset[open ? "fewer" : "all"];
    $("moves").classList.toggle("folded", !open);
    if (!open) show(step);
  });
  for (const letter of letters) letter.tabIndex = -1;
  if (calm.matches) $("speed").value = "2";
  show(addressed() ?? 0);
})();
