// The plain rules of Sokoban for a page. Cells are numbers, row by row; a position is the player's cell and the sorted cells of boxes.

const WALK = { moves: 1, pushes: 0 }
const PUSH = { moves: 1, pushes: 1 }
const KEYS = { left: "l", up: "u", right: "r", down: "d" }
const WORDS = { l: "left", u: "up", r: "right", d: "down" }

export function rules(level, looks) {
  const { width } = level, floor = new Set(level.floor), goals = new Set(level.goals)
  const away = { l: -1, u: -width, r: 1, d: width }  // walls, or nothing, are around the floor
  // A row ends where the next one begins: to the side, cells must be in one row.
  const ahead = (cell, letter) => {
    const to = cell + away[letter]
    return floor.has(to) && ((letter === "u" || letter === "d") || Math.floor(to / width) === Math.floor(cell / width)) ? to : -1
  }

  function towards({ player, boxes }, letter) {
    const to = ahead(player, letter)
    if (to < 0) return null
    if (!boxes.includes(to)) return { name: letter, position: { player: to, boxes }, costs: WALK }
    const beyond = ahead(to, letter)
    if (beyond < 0 || boxes.includes(beyond)) return null
    const pushed = boxes.map(box => box === to ? beyond : box).sort((one, other) => one - other)
    return { name: letter.toUpperCase(), position: { player: to, boxes: pushed }, costs: PUSH }
  }

  // The names of steps of a shortest walk without a push; null without one.
  function walk({ player, boxes }, target) {
    const came = new Map([[player, ""]]), waiting = [player]
    for (const at of waiting) {
      if (at === target) return came.get(at)
      for (const letter of "lurd") {
        const to = ahead(at, letter)
        if (to < 0 || boxes.includes(to) || came.has(to)) continue
        came.set(to, came.get(at) + letter)
        waiting.push(to)
      }
    }
    return null
  }

  // The fewest pushes that bring one box to a cell, and the walks between them.
  function pushes(position, box, target) {
    const waiting = [{ at: box, position, way: "" }], seen = new Set()
    for (const { at, position: here, way } of waiting) {
      if (at === target) return way
      for (const letter of "lurd") {
        const behind = at - away[letter], pushed = `${at} ${letter}`
        if (seen.has(pushed) || !floor.has(behind) || ahead(behind, letter) !== at) continue
        const walked = walk(here, behind)
        const step = walked === null ? null : towards({ player: behind, boxes: here.boxes }, letter)
        if (!step) continue
        seen.add(pushed)
        waiting.push({ at: ahead(at, letter), position: step.position, way: way + walked + step.name })
      }
    }
    return ""
  }

  return {
    start: () => ({ player: level.player, boxes: level.boxes }),
    moves: position => [..."lurd"].map(letter => towards(position, letter)).filter(Boolean),
    solved: ({ boxes }) => level.goals.every(goal => boxes.includes(goal)),
    key: ({ player, boxes }) => [player, ...boxes].join(" "),
    picture: ({ player, boxes }) => [...boxes.map(box => [looks[goals.has(box) ? "home" : "box"], box]), [looks.player, player]]
      .map(([shapes, cell]) => [shapes, Math.floor(cell / width), cell % width]),
    press: (position, key) => {
      const step = key in KEYS && towards(position, KEYS[key])
      return step ? [step.name] : []
    },
    point: (position, from, to) => {
      const [pressed, released] = [from, to].map(([row, column]) => row * width + column)
      if (!position.boxes.includes(pressed)) return [...(position.boxes.includes(released) ? "" : walk(position, released) ?? "")]
      if (pressed !== released) return [...pushes(position, pressed, released)]
      const letter = [..."lurd"].find(each => ahead(position.player, each) === pressed)  // a tap on the box beside the player
      const step = letter && towards(position, letter)
      return step ? [step.name] : []
    },
    say: name => name === name.toLowerCase() ? `go ${WORDS[name]}` : `push ${WORDS[name.toLowerCase()]}`,
    keys: ["up", "left", "down", "right"],
    help: "Arrow keys or swipes; a tap says where to go; a box can be dragged.",
  }
}
