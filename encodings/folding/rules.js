// The plain rules of Folding Blocks for a page. A position is the rows of numbers: -1 no cell, 0 empty, others a colour.

const NO_CELL = -1, EMPTY = 0
const COSTS = { moves: 1 }
const LETTERS = { up: "U", down: "D", left: "L", right: "R" }
const WORDS = { U: "up", D: "down", L: "left", R: "right" }

export function rules(level, looks) {
  const at = (position, row, column) => position[row]?.[column] ?? NO_CELL
  const cellsOf = (position, colour) => position.flatMap((row, r) => row.flatMap((value, c) => value === colour ? [[r, c]] : []))
  const colours = position => [...new Set(position.flat())].filter(value => value > EMPTY).sort((one, other) => one - other)

  // The block of a colour, mirrored at one of its edges; null if a place of the image is not empty.
  function fold(position, colour, letter) {
    const block = cellsOf(position, colour), axis = letter === "U" || letter === "D" ? 0 : 1
    const least = (one, other) => Math.min(one, other), most = (one, other) => Math.max(one, other)
    const along = block.map(cell => cell[axis]), back = letter === "U" || letter === "L"
    const edge = back ? 2 * along.reduce(least) - 1 : 2 * along.reduce(most) + 1
    const images = block.map(([row, column]) => axis ? [row, edge - column] : [edge - row, column])
    if (!images.every(([row, column]) => at(position, row, column) === EMPTY)) return null
    const after = position.map(row => [...row])
    for (const [row, column] of images) after[row][column] = colour
    return { name: `${colour}${letter}`, position: after, costs: COSTS }
  }

  const moves = position => colours(position).flatMap(colour => [..."UDLR"].map(letter => fold(position, colour, letter)).filter(Boolean))
  const movable = position => [...new Set(moves(position).map(({ name }) => Number(name.slice(0, -1))))]

  return {
    start: () => level.rows,
    moves,
    solved: position => !position.some(row => row.includes(EMPTY)),
    key: position => position.flat().join(" "),
    picture: position => position.flatMap((row, r) => row.flatMap((value, c) => value > EMPTY ? [[looks[value], r, c]] : [])),
    say: name => `fold ${name.slice(0, -1)} ${WORDS[name.at(-1)]}`,
    press: (position, key, colour) => {
      const step = colour != null && key in LETTERS && fold(position, colour, LETTERS[key])
      return step ? [step.name] : []
    },
    point: (position, [row, column], [toRow, toColumn]) => {
      const down = toRow - row, right = toColumn - column, colour = at(position, row, column)
      if (colour <= EMPTY || !(down || right)) return []
      const letter = Math.abs(down) >= Math.abs(right) ? down < 0 ? "U" : "D" : right < 0 ? "L" : "R"
      const step = fold(position, colour, letter)
      return step ? [step.name] : []
    },
    // The colour that keys fold: the one before, if it can fold.
    hand: (position, before) => {
      const able = movable(position)
      return before != null && (able.includes(before) || !able.length) ? before : able[0] ?? colours(position)[0] ?? null
    },
    choose: (position, [row, column]) => at(position, row, column) > EMPTY ? at(position, row, column) : null,
    chosen: cellsOf,
    next: (position, before) => {
      const known = colours(position)
      return known[(known.indexOf(before) + 1) % known.length] ?? null
    },
    keys: ["up", "left", "down", "right"],
    help: "Tap a block, then an arrow key or button folds it over that side; or drag the block. T chooses the next block.",
  }
}
