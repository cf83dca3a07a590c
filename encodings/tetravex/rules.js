// The plain rules of Tetravex for a page. A position is the number of the tile on each cell, row by row: from 1, or 0 for none.

const EMPTY = 0
const MOVE = { moves: 1 }
const NOTHING = { moves: 0 }

export function rules(level, looks) {
  const { side, tiles, game } = level, swaps = game === "swap", puts = game === "put"
  const place = cell => `${Math.floor(cell / side) + 1},${cell % side + 1}`
  const inWords = text => { const [row, column] = text.split(","); return `row ${row}, column ${column}` }
  const places = new Map(level.waiting.map(([number, row, column]) => [`${row},${column}`, number]))
  const cellAt = ([row, column]) => row >= 0 && row < side && column >= 0 && column < side ? row * side + column : -1

  // Does the tile on a cell agree with the tiles beside it?
  function fits(board, cell) {
    const own = tiles[board[cell] - 1], row = Math.floor(cell / side), column = cell % side
    const agrees = (inside, other, mine, its) => !inside || board[other] === EMPTY || tiles[board[other] - 1][its] === own[mine]
    return agrees(row > 0, cell - side, "north", "south") && agrees(row < side - 1, cell + side, "south", "north")
      && agrees(column > 0, cell - 1, "west", "east") && agrees(column < side - 1, cell + 1, "east", "west")
  }

  function put(position, number, cell) {
    const board = position.with(cell, number)
    if (!fits(board, cell)) return []
    return [puts ? { name: `${number}@${place(cell)}`, position: board, costs: MOVE } : { name: String(number), position: board, costs: NOTHING }]
  }

  function moves(position) {
    const cells = [...position.keys()]
    if (swaps) {
      return cells.flatMap(one => cells.slice(one + 1).map(other => ({
        name: `${place(one)}-${place(other)}`, position: position.with(one, position[other]).with(other, position[one]), costs: MOVE })))
    }
    const empty = cells.filter(cell => position[cell] === EMPTY), left = tiles.map((_, at) => at + 1).filter(number => !position.includes(number))
    return left.flatMap(number => (puts ? empty : empty.slice(0, 1)).flatMap(cell => put(position, number, cell)))
  }

  return {
    start: () => level.start,
    moves,
    solved: position => !position.includes(EMPTY) && position.every((_, cell) => fits(position, cell)),
    key: position => position.join(" "),
    picture: position => [
      ...(position.includes(EMPTY) ? level.waiting.map(([number, row, column]) => [position.includes(number) ? looks.gap : looks[number], row, column]) : []),
      ...position.flatMap((number, cell) => number === EMPTY ? [] : [[looks[number], Math.floor(cell / side), cell % side]])],
    say: name => {
      if (swaps) return `swap ${name.split("-").map(inWords).join(" with ")}`
      const [number, where] = name.split("@"), { north, east, south, west } = tiles[number - 1]
      return `tile N ${north} E ${east} S ${south} W ${west}${where ? ` to ${inWords(where)}` : ""}`
    },
    // Of two places, the one beside the board is that of the tile.
    point: (position, from, to) => {
      const cells = [from, to].map(cellAt), [number] = [from, to].map(at => places.get(String(at))).filter(found => found && !position.includes(found))
      if (swaps) {
        const [one, other] = cells.sort((a, b) => a - b)
        return one >= 0 && one !== other ? [`${place(one)}-${place(other)}`] : []
      }
      const cell = Math.max(...cells)
      if (!number || cell < 0 || position[cell] !== EMPTY || (!puts && position.indexOf(EMPTY) !== cell)) return []
      return put(position, number, cell).map(({ name }) => name)
    },
    taps: true,
    keys: [],
    help: swaps ? "Tap two tiles, or drag one to the other: they change places." : "Tap a tile and then its place, or drag it there; a tile that does not fit stays where it is.",
  }
}
