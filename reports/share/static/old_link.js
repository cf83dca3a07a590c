// The page for an address of a workbench that has ended: it shows the level that is in its own fragment.

import { decode, linkIn } from "../../serve/static/app/address.js"
import { html, button, byId } from "../../serve/static/app/html.js"

async function copy(text, place, said) {
  try {
    await navigator.clipboard.writeText(text)
    byId("said").textContent = said
  } catch {
    place.select()
    byId("said").textContent = "Copy the selected text."
  }
}

export async function start() {
  const link = linkIn(location.hash), found = link && await decode(link)
  if (!found) return
  const rows = Math.min(24, found.text.split("\n").length + 1)
  const text = html("textarea", { readonly: true, rows, spellcheck: "false", "aria-label": "The level" })
  const address = html("input", { readonly: true, "aria-label": "The link" })
  text.value = found.text
  address.value = link
  byId("level").replaceChildren(
    html("p", {}, "The link has a level of ", html("b", {}, found.puzzle), ". It is not lost: paste the link, or the text, into the page of the workbench that runs now."),
    html("div", { class: "row" }, address, button("Copy the link", "For the page of a workbench", () => copy(link, address, "The link is copied."))),
    text, html("div", { class: "row" }, button("Copy the level", "As text", () => copy(found.text, text, "The level is copied."))))
}
