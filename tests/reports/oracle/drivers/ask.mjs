// ask.mjs READER ROUNDS (KEYS ORACLE OUTPUT)...: writes the answers of each oracle to all keys, a zero byte between them.
// If ROUNDS is not 0: nanoseconds of a question, and how many positions are lost.
import { readFileSync, writeFileSync } from "node:fs"

const [reader, rounds, ...files] = process.argv.slice(2)
const { readOracle } = await import(`data:text/javascript,${encodeURIComponent(readFileSync(reader, "utf8"))}`)

function opened(file) {
  try {
    return readOracle(new Uint8Array(readFileSync(file)))
  } catch (error) {
    if (!error.message.startsWith("damaged oracle: ")) throw error
    return null
  }
}

function timed(oracle, texts) {
  const began = process.cpuUsage()
  let lost = 0
  for (let round = 0; round < rounds; round++) for (const key of texts) lost += oracle.ask(key).status === "lost"
  const { user, system } = process.cpuUsage(began)
  return `${(user + system) * 1000 / (rounds * texts.length)} ${lost / rounds}`
}

function answered(oracle, texts) {
  const lines = texts.map(key => {
    const { status, distance, moves } = oracle.ask(key)
    return [status, ...(distance === undefined ? [] : [distance, ...moves])].join("\t")
  })
  return [[oracle.exact ? "exact" : "lost", oracle.puzzle, oracle.metric, oracle.start].join("\t"), ...lines].join("\0")
}

for (let at = 0; at < files.length; at += 3) {
  const texts = readFileSync(files[at], "utf8").split("\0").slice(0, -1), oracle = opened(files[at + 1])
  writeFileSync(files[at + 2], !oracle ? "damaged" : +rounds ? timed(oracle, texts) : answered(oracle, texts))
}
