"""An independent implementation of the rules of the puzzles, which judges the answers of puzzlemc.

It repeats the rules on purpose and must import nothing of puzzlemc, not even its parsers or plain rules, so that
an error that these share with the engines is found, too. It enumerates all positions, so it is for small levels
only.

A *game* is a level read from plain text. `explore` computes its *graph* of positions, from which answers are
computed.
"""

import re
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import combinations
from typing import Any, TypeAlias

Step: TypeAlias = tuple[str, Any, dict[str, int]]  # the move's name, the position after it, costs by metric
Formula: TypeAlias = tuple[Any, ...]  # ("EF", formula), ("and", formula, formula), ("atom", name), …

AROUND = {"u": (-1, 0), "d": (1, 0), "l": (0, -1), "r": (0, 1)}


@dataclass(frozen=True)
class Game:
    """A level: its start position, its legal steps, and a predicate for solved positions.

    sound  whether parsers must accept the level
    """

    start: Any
    steps: Callable[[Any], Iterator[Step]]
    solved: Callable[[Any], bool]
    sound: bool = True


@dataclass(frozen=True)
class Graph:
    """All positions of a game, beginning with the start, and for each the numbers of its successors with costs."""

    positions: list[Hashable]
    steps: list[list[tuple[int, dict[str, int]]]]
    solved: frozenset[int]

    def least(self, metric: str) -> int | None:
        """The least cost of a solution (Dijkstra 1959); None if there is none."""
        best: dict[int, int] = {}
        heap = [(0, 0)]
        while heap:
            cost, at = heappop(heap)
            if at in best:
                continue
            if at in self.solved:
                return cost
            best[at] = cost
            for after, costs in self.steps[at]:
                heappush(heap, (cost + costs[metric], after))
        return None

    def where(self, formula: Formula) -> set[int]:
        """The positions that satisfy a CTL formula, by fixpoints.

        A position without steps is its own successor.
        """
        op, *parts = formula
        everything = set(range(len(self.positions)))
        if op == "atom":
            stuck = {at for at in everything if not self.steps[at]}
            return {"solved": set(self.solved), "stuck": stuck, "true": everything, "false": set[int]()}[parts[0]]
        sets = [self.where(part) for part in parts]
        if op == "not":
            return everything - sets[0]
        if op == "and":
            return sets[0] & sets[1]
        if op == "or":
            return sets[0] | sets[1]
        if op == "implies":
            return (everything - sets[0]) | sets[1]
        if op == "iff":
            return everything - (sets[0] ^ sets[1])
        after = [{there for there, _ in steps} or {at} for at, steps in enumerate(self.steps)]
        some, every = op[0] == "E", op[0] == "A"

        def before(states: set[int]) -> set[int]:
            return {at for at in everything if (some and after[at] & states) or (every and after[at] <= states)}

        if op[1] == "X":
            return before(sets[0])
        if op[1] == "G":
            held = sets[0]
            while (less := held & before(held)) != held:
                held = less
            return held
        through, found = (everything, sets[0]) if op[1] == "F" else (sets[0], sets[1])
        while (more := found | (through & before(found))) != found:
            found = more
        return found


def explore(game: Game, most: int) -> Graph | None:
    """The graph of all positions; None if there are more than `most`."""
    number = {game.start: 0}
    positions = [game.start]
    steps: list[list[tuple[int, dict[str, int]]]] = []
    for position in positions:
        if len(positions) > most:
            return None
        steps.append([])
        for _, after, costs in game.steps(position):
            if after not in number:
                number[after] = len(positions)
                positions.append(after)
            steps[-1].append((number[after], costs))
    return Graph(positions, steps, frozenset(at for at, position in enumerate(positions) if game.solved(position)))


def play(game: Game, moves: Sequence[str]) -> dict[str, int] | None:
    """The costs of the moves if they are a solution; None if they are not."""
    position, costs = game.start, {"moves": 0, "pushes": 0}
    for move in moves:
        found = [step for step in game.steps(position) if step[0] == move]
        if len(found) != 1:
            return None
        position = found[0][1]
        for metric, cost in found[0][2].items():
            costs[metric] += cost
    return costs if game.solved(position) else None


def game(puzzle: str, text: str) -> Game:
    """The game of a plain text. Raises ValueError for an invalid text."""
    text = "\n".join(line for line in text.split("\n") if not re.match(r"(Title|Author):", line))
    return {"sokoban": sokoban, "folding": folding, "tetravex": tetravex}[puzzle](text)


def sokoban(text: str) -> Game:
    """A board drawn with `# @ + $ * .` and floor. Cells outside the drawing are walls."""
    rows = re.sub("[-_]", " ", text).split("\n")
    at = {(r, c): kind for r, row in enumerate(rows) for c, kind in enumerate(row)}
    players = [cell for cell, kind in at.items() if kind in "@+"]
    if len(players) != 1 or set(at.values()) - set("#@+$*. "):
        raise ValueError("no board")
    room = {cell for cell, kind in at.items() if kind != "#"}
    boxes = frozenset(cell for cell in room if at[cell] in "$*")
    goals = frozenset(cell for cell in room if at[cell] in ".*+")

    reached, waiting = set(players), deque(players)
    closed = True
    while waiting:
        r, c = waiting.popleft()
        for dr, dc in AROUND.values():
            cell = r + dr, c + dc
            closed = closed and cell in at
            if cell in room and cell not in reached:
                reached.add(cell)
                waiting.append(cell)
    lost = {at[cell] for cell in room - reached} - {" ", "*"}

    def steps(position: tuple[tuple[int, int], frozenset[tuple[int, int]]]) -> Iterator[Step]:
        (r, c), now = position
        for name, (dr, dc) in AROUND.items():
            to, beyond = (r + dr, c + dc), (r + 2 * dr, c + 2 * dc)
            if to in now:
                if beyond in room and beyond not in now:
                    yield name.upper(), (to, now - {to} | {beyond}), {"pushes": 1, "moves": 1}
            elif to in room:
                yield name, (to, now), {"pushes": 0, "moves": 1}

    sound = closed and not lost and bool(goals & reached) and len(goals & reached) <= len(boxes & reached)
    return Game((players[0], boxes), steps, lambda position: goals <= position[1], sound)


def folding(text: str) -> Game:
    """A board of numbers in columns: -1 for no cell, 0 for an empty cell, and positive numbers for colours."""
    rows = tuple(tuple(map(int, line.split())) for line in text.split("\n"))
    if len({len(row) for row in rows}) != 1 or min(map(min, rows)) < -1:
        raise ValueError("no board")
    held = {(r, c): number for r, row in enumerate(rows) for c, number in enumerate(row) if number >= 0}
    cells = sorted(held)

    def steps(position: tuple[int, ...]) -> Iterator[Step]:
        now = dict(zip(cells, position, strict=True))
        for colour in sorted(set(position) - {0}):
            block = [cell for cell in cells if now[cell] == colour]
            for name, (dr, dc) in AROUND.items():
                axis = 0 if dr else 1
                edge = (max if dr + dc > 0 else min)(cell[axis] for cell in block)
                images = []
                for cell in block:
                    image = list(cell)
                    image[axis] = 2 * edge - cell[axis] + dr + dc
                    images.append(tuple(image))
                if all(now.get(image) == 0 for image in images):
                    new = {**now, **dict.fromkeys(images, colour)}
                    yield f"{colour}{name.upper()}", tuple(new[cell] for cell in cells), {"moves": 1}

    return Game(tuple(held[cell] for cell in cells), steps, lambda position: 0 not in position, bool(cells))


def tetravex(text: str) -> Game:
    """The plain form: `Tetravex N`, tiles (north, south, east, west), optionally `Put` or `Swap` and a board."""
    match = re.fullmatch(r"Tetravex (\d+)\n([\d \n]+?)(?:\n(Put|Swap)\n([\d \n]+))?", text)
    if match is None:
        raise ValueError("no level")
    side, numbers, rules = int(match[1]), [int(word) for word in match[2].split()], match[3]
    cells = side * side
    tiles = [tuple(numbers[first : first + 4]) for first in range(0, len(numbers), 4)]
    start = tuple(int(word) for word in match[4].split()) if rules else (0,) * cells
    placed = [tile for tile in start if tile]
    if len(numbers) != 4 * cells or len(start) != cells or len(set(placed)) != len(placed):
        raise ValueError("no level")
    if max(start) > cells or (rules == "Swap" and len(placed) < cells):
        raise ValueError("no level")

    def agree(board: Sequence[int]) -> bool:
        for cell, tile in enumerate(board):
            south, east = cell + side, cell + 1
            if tile and south < cells and board[south] and tiles[tile - 1][1] != tiles[board[south] - 1][0]:
                return False
            if tile and east % side and board[east] and tiles[tile - 1][2] != tiles[board[east] - 1][3]:
                return False
        return True

    def fits(board: Sequence[int], cell: int) -> bool:
        """Does the tile on the cell agree with its neighbours? Other tiles are ignored."""
        row, column = divmod(cell, side)
        near = [cell]
        near += [cell - side] * (row > 0) + [cell + side] * (row < side - 1)
        near += [cell - 1] * (column > 0) + [cell + 1] * (column < side - 1)
        return all(agree([tile if at in (cell, other) else 0 for at, tile in enumerate(board)]) for other in near)

    def name(cell: int) -> str:
        return f"{cell // side + 1},{cell % side + 1}"

    def steps(board: tuple[int, ...]) -> Iterator[Step]:
        if rules == "Swap":
            for one, other in combinations(range(cells), 2):
                new = list(board)
                new[one], new[other] = board[other], board[one]
                yield f"{name(one)}-{name(other)}", tuple(new), {"moves": 1}
            return
        free = [cell for cell in range(cells) if not board[cell]]
        for tile in sorted(set(range(1, cells + 1)) - set(board)):
            for cell in free if rules else free[:1]:
                new = [tile if at == cell else old for at, old in enumerate(board)]
                if fits(new, cell):
                    yield f"{tile}@{name(cell)}" if rules else str(tile), tuple(new), {"moves": 1 if rules else 0}

    return Game(start, steps, lambda board: 0 not in board and agree(board))
