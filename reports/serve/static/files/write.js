// Where a document is written: to its file on the server, to a file of the browser, or as a download.

import { toast } from "../app/html.js"
import { post } from "./document.js"
import { downloaded } from "./menu.js"

// Returns what to say, or `theirs` if the file has another content meanwhile (null: there is no file); nothing if it was not written.
export async function write(document, text, suggested) {
  if (document.number >= 0) return onServer(document, text)
  if (!document.handle && globalThis.showSaveFilePicker) {
    try {
      document.handle = await showSaveFilePicker({ suggestedName: suggested })
      document.name = document.handle.name
      text = text.endsWith("\n") ? text : `${text}\n`
      document.was = null  // whatever is in that file, its user has chosen to replace it
    } catch (error) {
      if (error.name === "AbortError") return null
    }
  }
  if (document.handle) return inBrowser(document, text)
  downloaded(suggested, await packed(document, text))
  document.name ||= suggested
  return { said: `Downloaded as ${suggested}${document.of.levels.length > 1 ? ", with all its levels" : ""}` }
}

async function onServer(document, text) {
  if (document.locked) {
    toast(`${document.locked}: Download writes a new file`)
    return null
  }
  const { form, was } = document, answer = await post(`document/${document.number}`, { text, form, was })
  if (answer.failed) {
    toast(answer.failed)
    return null
  }
  if (answer.was === null) return { theirs: answer.theirs }
  document.was = answer.was
  return { said: `Saved to ${document.title}` }
}

async function inBrowser(document, text) {
  const { handle, was } = document
  try {
    if (was !== null) {
      const theirs = await content(handle)
      if (theirs?.was !== was) return { theirs }
    }
    const data = await packed(document, text)
    const file = await handle.createWritable()
    await file.write(data)
    await file.close()
    document.was = (await content(handle))?.was ?? null
    return { said: `Saved to ${handle.name}` }
  } catch (error) {
    toast(`The file was not written: ${error.message}`)
    return null
  }
}

// The bytes of a document, with the line ends and the encoding that its file has; those of a new one are plain.
export async function packed({ form, name, was }, text) {
  if (!name && !was) return text.endsWith("\n") ? text : `${text}\n`
  const answer = await fetch("packed", { method: "POST", body: JSON.stringify({ text, form }) })
  if (!answer.ok) throw new Error((await answer.json()).failed)
  return answer.arrayBuffer()
}

// The content of a file of the browser; null if it is gone.
export async function content(handle) {
  let file
  try {
    file = await handle.getFile()
  } catch (error) {
    if (error.name === "NotFoundError") return null
    throw error
  }
  const found = await post(`open?name=${encodeURIComponent(file.name)}`, await file.arrayBuffer())
  if (found.failed) throw new Error(found.failed)
  return { text: found.text, form: found.form, was: found.was }
}
