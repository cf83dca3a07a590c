// Buttons that copy the text of an element.
for (const button of document.querySelectorAll("button[data-copy]")) {
  const named = button.textContent;
  button.addEventListener("click", async () => {
    const text = document.getElementById(button.dataset.copy).textContent;
    let copied = true;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Browsers may deny this to a page from disk; the older way needs no permission.
      const area = document.createElement("textarea");
      area.value = text;
      area.className = "aside";
      document.body.append(area);
      area.select();
      copied = document.execCommand("copy");
      area.remove();
      button.focus();
    }
    button.textContent = copied ? "Copied" : "Not copied";
    document.getElementById("copied").textContent = copied ? `Copied: ${named}` : `Not copied: ${named}`;
    setTimeout(() => { button.textContent = named; }, 2000);
  });
}
