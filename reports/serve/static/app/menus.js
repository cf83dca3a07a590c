// Menus close by Escape, and by a click elsewhere; and whether keys are for a text.

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
}

// Does a text field have the focus, or a dialog? Then keys are for it.
export const typing = ({ target }) => Boolean(document.querySelector("dialog[open]") || target.closest?.("input,textarea,select,[contenteditable],#editor"))
