// Menus close by Escape, and by a click elsewhere; and whether keys are for a field.

import { byId, toast } from "./html.js"

const open = () => [...document.querySelectorAll("details.menu[open]")]

export function menus() {
  document.addEventListener("pointerdown", event => {
    for (const menu of open()) if (!menu.contains(event.target)) menu.open = false
  }, true)
  document.addEventListener("keydown", event => {
    const [menu] = open()
    if (event.key !== "Escape" || !menu) return
    menu.open = false
    menu.firstElementChild.focus()
    event.preventDefault()
    event.stopImmediatePropagation()
  }, true)
  // A finger that rests on a tool sees its name, as a pointer does.
  byId("tools").addEventListener("contextmenu", event => {
    const { title } = event.target.closest("button") ?? {}
    if (event.pointerType !== "touch" || !title) return
    event.preventDefault()
    toast(title)
  })
  // A choice by the pointer, outside of a dialog, gives the keys back to the board.
  let pointed = false
  document.addEventListener("pointerdown", () => { pointed = true }, true)
  document.addEventListener("keydown", () => { pointed = false }, true)
  document.addEventListener("change", ({ target }) => { if (pointed && target.matches("select,[type=checkbox]") && !target.closest("dialog")) target.blur() })
}

// Does a text field have the focus, or a dialog? Then keys are for it.
export const typing = ({ target }) => Boolean(document.querySelector("dialog[open]") || target.closest?.("input,textarea,select,[contenteditable],#editor"))
