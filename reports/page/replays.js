// Replays of many levels in one dialog. An address such as #replay=3 opens the film of that number.
(() => {
  const $ = (id) => document.getElementById(id);
  const films = JSON.parse($("films").textContent);
  const dialog = $("player"), stage = $("stage"), seek = $("seek");
  let film = null, step = 0, timer = null, shapes = [];

  // Shows a step by the changes that lead to it.
  function show(next) {
    next = Math.max(0, Math.min(film.changes.length, next));
    const set = (numbers, shown) => numbers.forEach((n) => shapes[n].setAttribute("visibility", shown ? "visible" : "hidden"));
    for (; step < next; step++) { const [off, on] = film.changes[step]; set(off, false); set(on, true); }
    for (; step > next; step--) { const [off, on] = film.changes[step - 1]; set(on, false); set(off, true); }
    $("where").textContent = film.changes.length ? `Step ${step} of ${film.changes.length}${step ? `, ${film.moves[step - 1]}` : ""}` : "The solution";
    seek.value = step;
    if (step === film.changes.length) pause();
  }
  function pause() { clearInterval(timer); timer = null; $("play").textContent = "Play"; }
  function play() {
    if (timer !== null) return pause();
    if (step === film.changes.length) show(0);
    $("play").textContent = "Pause";
    timer = setInterval(() => show(step + 1), 250);
  }
  function open() {
    const asked = /^#replay=(\d+)$/.exec(location.hash);
    film = asked ? films[Number(asked[1])] ?? null : null;
    pause();
    if (film === null) { dialog.close(); return; }
    stage.setAttribute("viewBox", film.box);
    stage.setAttribute("aria-label", film.name);
    stage.innerHTML = film.board + film.groups.join("");
    shapes = [...stage.children].slice(stage.children.length - film.groups.length);
    const first = new Set(film.first);
    shapes.forEach((shape, number) => shape.setAttribute("visibility", first.has(number) ? "visible" : "hidden"));
    $("name").textContent = film.name;
    $("controls").hidden = film.changes.length === 0;
    seek.max = film.changes.length;
    step = 0;
    show(0);
    if (!dialog.open) dialog.showModal();
  }
  $("back").addEventListener("click", () => { pause(); show(step - 1); });
  $("forth").addEventListener("click", () => { pause(); show(step + 1); });
  $("play").addEventListener("click", play);
  seek.addEventListener("input", () => { pause(); show(Number(seek.value)); });
  $("close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => {
    pause();
    if (location.hash.startsWith("#replay=")) history.replaceState(null, "", location.pathname + location.search);
  });
  dialog.addEventListener("keydown", (event) => {
    if (event.target === seek) return;
    if (event.key === "ArrowLeft") { pause(); show(step - 1); }
    if (event.key === "ArrowRight") { pause(); show(step + 1); }
  });
  addEventListener("hashchange", open);
  open();
})();
