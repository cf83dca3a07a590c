// Numbers and units in words.

export const number = value => value.toLocaleString("en").replaceAll(",", "\u202f")

export function counted(value, metric) {
  if (!metric || metric === "any") return number(value)
  if (metric === "cost") return `a cost of ${number(value)}`
  const one = metric.replace(/(?<=sh|ss)es$|s$/, "")
  return `${number(value)} ${value === 1 ? one : metric}`
}

// A time of some seconds.
export const seconds = value => value < 60 ? `${Math.floor(value)} s` : `${Math.floor(value / 60)} min ${Math.floor(value % 60)} s`

// Costs by their metrics.
export const costs = found => Object.entries(found).map(([metric, cost]) => counted(cost, metric)).join(", ")

// A share in percent, never rounded to none or to all.
export function percent(part, whole) {
  const rounded = Math.round(100 * part / whole)
  if (rounded === 100 && part < whole) return "> 99 %"
  return rounded === 0 && part > 0 ? "< 1 %" : `${rounded} %`
}

// A verdict in a few words, to compare it with another.
export function brief(verdict) {
  if (!verdict) return ""
  if (verdict.game?.draw) return "a draw"
  if (verdict.best) return `output ${verdict.best.output}`
  if (verdict.arranges) return verdict.verdict
  if (verdict.verdict === "solvable") return verdict.cost == null ? "solvable" : (verdict.optimal === false ? "≤ " : "") + counted(verdict.cost, verdict.metric)
  return verdict.verdict === "error" ? "no level" : verdict.verdict
}

// The place of a fault in a text, before what it is.
export const placed = ({ line, column }) => line ? `Line ${line}${column ? `, column ${column}` : ""}: ` : ""

// Why a text is not taken: it is no level, but may be moves, which are letters, words or arrows, with counts.
export const notFound = text => /[lurd←↑→↓]/i.test(text) && /^(?:left|right|up|down|[lurd←↑→↓\d\s,;.()])+$/i.test(text) ? "These are moves: a solution is pasted in Play (Ctrl+Enter)" : "No level was found in this text"

export const sentence = text => text && text[0].toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".")
