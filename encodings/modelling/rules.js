// The plain rules of a system for a page. A position has the places of the values of all variables in their domains.
// Values are as in Python: true equals 1, and a tuple is a list of values.

const numeric = value => typeof value === "number" || typeof value === "boolean"
// Equal values have one text.
const canonical = value => JSON.stringify(Array.isArray(value) ? value.map(canonical) : typeof value === "boolean" ? Number(value) : value)
const equal = (one, other) => one === other || (numeric(one) && numeric(other) ? Number(one) === Number(other)
  : Array.isArray(one) && Array.isArray(other) && canonical(one) === canonical(other))
const truthy = value => Array.isArray(value) ? value.length > 0 : Boolean(value)

function number(value) {
  if (!numeric(value) || !Number.isSafeInteger(Number(value))) throw new Error(`found ${JSON.stringify(value)}, expected a whole number`)
  return Number(value)
}

function remainder(one, other) {
  if (other === 0) throw new Error("division by zero")
  return ((one % other) + other) % other
}

const OPERATORS = {
  "==": equal,
  "!=": (one, other) => !equal(one, other),
  "<": (one, other) => number(one) < number(other),
  "<=": (one, other) => number(one) <= number(other),
  ">": (one, other) => number(one) > number(other),
  ">=": (one, other) => number(one) >= number(other),
  "-": (one, other) => number(number(one) - number(other)),
  "*": (one, other) => number(number(one) * number(other)),
  "//": (one, other) => (number(one) - remainder(number(one), number(other))) / number(other),
  "%": (one, other) => remainder(number(one), number(other)),
}
// The first of the least or greatest ones, as in Python.
const FOLDS = {
  sum: values => values.reduce((sum, value) => number(sum + number(value)), 0),
  min: values => values.reduce((least, value) => number(value) < number(least) ? value : least),
  max: values => values.reduce((most, value) => number(value) > number(most) ? value : most),
}

export function rules(level, looks) {
  const domains = level.domains.map(domain => Array.isArray(domain) ? domain : Array.from({ length: domain.count }, (_, at) => domain.first + at))
  const places = domains.map(domain => new Map(domain.map((value, at) => [canonical(value), at])))
  const truths = new Set(level.truths)
  const nodes = []  // functions of a position
  for (const node of level.nodes) nodes.push(compiled(node))

  function compiled([kind, ...rest]) {
    const at = number => nodes[number], all = numbers => numbers.map(at)
    switch (kind) {
      case "c": { const [value] = rest; return () => value }
      case "v": { const [variable] = rest, domain = domains[variable]; return position => domain[position[variable]] }
      case "o": { const operator = OPERATORS[rest[0]], one = at(rest[1]), other = at(rest[2]); return position => operator(one(position), other(position)) }
      case "abs": { const part = at(rest[0]); return position => Math.abs(number(part(position))) }
      case "!": { const part = at(rest[0]); return position => !truthy(part(position)) }
      case "f": { const fold = FOLDS[rest[0]], parts = all(rest[1]); return position => fold(parts.map(part => part(position))) }
      case "&": case "|": {
        const parts = all(rest[0]), stops = kind === "|"
        return position => {
          let value = !stops
          for (const part of parts) if (truthy(value = part(position)) === stops) return value
          return value
        }
      }
      case "?": { const [condition, then, otherwise] = rest.map(at); return position => truthy(condition(position)) ? then(position) : otherwise(position) }
      case "t": {
        const parts = all(rest[0]), values = new Map(rest[1].map(([given, value]) => [canonical(given), value]))
        return position => {
          const given = canonical(parts.map(part => part(position)))
          if (!values.has(given)) throw new Error(`no value for ${given}`)
          return values.get(given)
        }
      }
    }
    throw new Error(`found a part of kind ${kind}`)
  }

  function holds(node, position) {
    const value = nodes[node](position)
    if (typeof value !== "boolean") throw new Error(`found ${JSON.stringify(value)}, expected true or false`)
    return value
  }

  // The position after an action; null if a value outside its domain disables the action.
  function after(position, [name, , updates, , disables]) {
    const found = [...position]
    for (const [variable, node] of updates) {
      const value = nodes[node](position), place = truths.has(variable) && typeof value !== "boolean" ? undefined : places[variable].get(canonical(value))
      if (place === undefined && disables) return null
      if (place === undefined) throw new Error(`${name}: found ${JSON.stringify(value)}, which is outside the domain`)
      found[variable] = place
    }
    return found
  }

  function moves(position) {
    const found = new Map()
    for (const action of level.actions) {
      const [name, guard, , costs] = action
      const to = holds(guard, position) ? after(position, action) : null
      if (!to) continue
      if (found.has(name)) throw new Error(`two actions called ${name} can be done`)
      found.set(name, { name, position: to, costs })
    }
    return [...found.values()]
  }

  return {
    start: () => level.start,
    moves,
    solved: position => holds(level.goal, position),
    key: position => position.join(" "),
    picture: position => picture(level.picture, looks, position, domains),
    help: level.picture.cells ? "Tap a cell, or drag a thing to where it goes. Arrow keys and swipes are moves that are called like them." : "Choose a move. Arrow keys and swipes are moves that are called like them.",
  }
}

// Words of the legend at their places, values of tables, and lines of words.
function picture({ cells = [], words = [], which = [], values = [], lines = [] }, looks, position, domains) {
  const value = variable => domains[variable][position[variable]]
  const within = new Set(cells.map(canonical)), found = new Map(words.map(([word, stay]) => [word, [...stay]]))
  for (const [word, , here, where] of words) {
    for (const [variable, place] of here) if (truthy(value(variable))) found.get(word).push(place)
    found.get(word).push(...where.map(value))
  }
  for (const [variable, place] of which) found.get(value(variable))?.push(place)
  const things = [...found].flatMap(([word, at]) => [...new Map(at.map(place => [canonical(place), place]))]
    .filter(([key]) => within.has(key)).map(([, place]) => place)
    .sort(([row, column], [otherRow, otherColumn]) => row - otherRow || column - otherColumn)
    .map(([row, column]) => [looks[word], row, column]))
  const entries = values.map(([row, column, variable, names]) => [looks[names[position[variable]]], row, column])
  const said = lines.map(([x, y, size, variables]) => {
    const text = variables.map(([name, variable, written]) => `${name} = ${written ? written[position[variable]] : value(variable)}`)
    return ["t", "accent", x, y, size, text.join(", "), true]
  })
  return [...things, ...entries, ...(said.length ? [[said, 0, 0]] : [])]
}
