"""Writes planning tasks of 15 domains, in the format of planners' translators, for `sas.py` and for planners.

    python benchmarks/tasks.py FOLDER [--seed 1] [--sizes 3]

Each domain has tasks of growing size, some of them unsolvable; the same seed gives the same tasks. Their variables
are given, so that they measure searches alone, and not what is found in a model. Lights have conditional effects,
wires have axioms, crates have steps without cost.
"""

import argparse
import random
from collections.abc import Callable, Hashable, Iterator
from itertools import combinations, permutations
from pathlib import Path

from draft import Draft

from puzzlemc.mc.tasks.task import Effect, Task
from puzzlemc.reports.formats import sas


def neighbours(width: int, height: int, cell: int) -> Iterator[int]:
    """The cells beside a cell of a rectangle."""
    row, column = divmod(cell, width)
    for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if 0 <= row + down < height and 0 <= column + right < width:
            yield (row + down) * width + column + right


def tiles(size: int, rng: random.Random) -> Task:
    """Sliding tiles, scrambled by a random walk; each fourth board has two tiles exchanged: unsolvable."""
    width, height = (3, 3) if size < 3 else (4, 3) if size < 5 else (4, 4)
    board = list(range(width * height))  # cell -> tile, 0 is the gap
    for _ in range(20 * size):
        gap = board.index(0)
        other = rng.choice(list(neighbours(width, height, gap)))
        board[gap], board[other] = board[other], 0
    if size % 4 == 0:
        one, other = (cell for cell in (board.index(1), board.index(2)))
        board[one], board[other] = board[other], board[one]
    draft = Draft()
    cells: list[Hashable] = list(range(width * height))
    for tile in range(len(cells)):
        draft.variable(tile, cells, board.index(tile))
    for gap in range(len(cells)):
        for cell in neighbours(width, height, gap):
            for tile in range(1, len(cells)):
                draft.operator(f"slide {tile} to {gap}", {0: gap, tile: cell}, {0: cell, tile: gap})
    return draft.task({tile: tile for tile in range(1, len(cells))})


def hanoi(size: int, rng: random.Random) -> Task:
    """The towers of Hanoi, from random pegs."""
    draft = Draft()
    for disc in range(size + 2):
        draft.variable(disc, ["a", "b", "c"], rng.choice("abc"))
    for disc in range(size + 2):
        for start, end, rest in permutations("abc"):
            before = {disc: start} | dict.fromkeys(range(disc), rest)
            draft.operator(f"move {disc} from {start} to {end}", before, {disc: end})
    return draft.task(dict.fromkeys(range(size + 2), "c"))


def blocks(size: int, rng: random.Random) -> Task:
    """Blocks on a table; a block is on another one or on the table, and clear or not."""
    names = list(range(size + 3))
    below: list[dict[int, Hashable]] = []
    for _ in range(2):
        rng.shuffle(names)
        below.append({b: names[i - 1] if i and rng.random() < 0.7 else "table" for i, b in enumerate(names)})
    draft = Draft()
    for b in sorted(names):
        draft.variable(("on", b), [*(c for c in sorted(names) if c != b), "table"], below[0][b])
        draft.variable(("clear", b), [False, True], b not in below[0].values())
    for b in sorted(names):
        places: list[Hashable] = [*(c for c in sorted(names) if c != b), "table"]
        for start, end in permutations(places, 2):
            before, after = {("on", b): start, ("clear", b): True}, {("on", b): end}
            if start != "table":
                after["clear", start] = True
            if end != "table":
                before["clear", end] = True
                after["clear", end] = False
            draft.operator(f"move {b} from {start} to {end}", before, after)
    return draft.task({("on", b): place for b, place in below[1].items()})


def delivery(size: int, rng: random.Random) -> Task:
    """Lorries with a place for one parcel on a random road map with lengths."""
    towns: list[Hashable] = list(range(size + 4))
    roads = [(n, rng.randrange(n)) for n in range(1, len(towns))]
    roads += [(one, other) for one, other in combinations(range(len(towns)), 2) if rng.random() < 0.2]
    length = {road: rng.randint(1, 9) for road in roads}
    draft = Draft()
    for lorry in "xy":
        draft.variable(lorry, towns, rng.choice(towns))
        draft.variable(("load", lorry), [False, True], False)
    parcels = [f"p{n}" for n in range(size + 1)]
    for parcel in parcels:
        draft.variable(parcel, [*towns, "x", "y"], rng.choice(towns))
    for lorry in "xy":
        for road, cost in length.items():
            for start, end in (road, road[::-1]):
                draft.operator(f"drive {lorry} {start} {end}", {lorry: start}, {lorry: end}, cost)
        full = ("load", lorry)
        for parcel in parcels:
            for town in towns:
                here = {lorry: town, parcel: town, full: False}
                draft.operator(f"load {parcel} {lorry}", here, {parcel: lorry, full: True})
                there = {lorry: town, parcel: lorry}
                draft.operator(f"unload {parcel} {lorry}", there, {parcel: town, full: False})
    return draft.task({parcel: rng.choice(towns) for parcel in parcels})


def lights(size: int, rng: random.Random) -> Task:
    """Lights out, scrambled by random presses."""
    side = min(size + 2, 6)
    switches = [[cell, *neighbours(side, side, cell)] for cell in range(side * side)]
    lit = [False] * (side * side)
    for _ in range(size + 3):
        for cell in rng.choice(switches):
            lit[cell] = not lit[cell]
    draft = Draft()
    for cell, on in enumerate(lit):
        draft.variable(cell, [False, True], on)
    for cell, some in enumerate(switches):
        draft.flip(f"press {cell}", list(some))
    return draft.task(dict.fromkeys(range(side * side), False))


def pegs(size: int, rng: random.Random) -> Task:
    """Peg solitaire on a rectangle: one peg must be left, in a given hole."""
    width, height = size + 3, 4
    cells = range(width * height)
    hole = rng.choice(cells)
    draft = Draft()
    for cell in cells:
        draft.variable(cell, [False, True], cell != hole)
    for cell in cells:
        for over in neighbours(width, height, cell):
            to = 2 * over - cell
            if to in neighbours(width, height, over):
                before, after = (dict(zip((cell, over, to), each, strict=True)) for each in ((1, 1, 0), (0, 0, 1)))
                draft.operator(f"jump {cell} to {to}", before, after)
    return draft.task({cell: cell == hole for cell in cells})


def river(size: int, rng: random.Random) -> Task:
    """As many missionaries as cannibals cross a river in a boat for two, or three from the third size on."""
    people, seats = size + 1, 2 if size < 3 else 3
    counts: list[Hashable] = list(range(people + 1))
    draft = Draft()
    for kind in ("missionaries", "cannibals"):
        draft.variable(kind, counts, people)  # on the first bank
    draft.variable("boat", [False, True], False)

    def safe(m: int, c: int) -> bool:
        return 0 <= m <= people and 0 <= c <= people and m in (0, people, c)

    for m in range(people + 1):
        for c in range(people + 1):
            for more, others in (
                (i, j) for i in range(seats + 1) for j in range(seats + 1) if 1 <= i + j <= seats
            ):
                for boat, sign in ((False, -1), (True, 1)):
                    new = m + sign * more, c + sign * others
                    if safe(m, c) and safe(*new) and (not more or more >= others):
                        before = {"missionaries": m, "cannibals": c, "boat": boat}
                        after = {"missionaries": new[0], "cannibals": new[1], "boat": not boat}
                        draft.operator(f"cross {more} {others}", before, after, rng.randint(1, 2))
    return draft.task({"missionaries": 0, "cannibals": 0})


def cars(size: int, rng: random.Random) -> Task:
    """Cars that block each other in a yard: a car moves along its row or column, the first must reach the exit."""
    side = 6
    taken: set[int] = set()
    placed: list[tuple[int, int, list[int]]] = []  # offset, step, all cells of its line
    line = [2 * side + n for n in range(side)]
    for n in range(size + 6):
        for _ in range(1000):
            length = 2 if n == 0 or rng.random() < 0.7 else 3
            across = n == 0 or rng.random() < 0.4
            at = rng.randrange(side)
            track = line if n == 0 else [at * side + k if across else k * side + at for k in range(side)]
            start = 0 if n == 0 else rng.randrange(side - length + 1)
            if not taken & set(track[start : start + length]) and (n == 0 or not across or at != 2):
                break
        else:
            break  # the yard is full
        taken |= set(track[start : start + length])
        placed.append((start, length, track))
    draft = Draft()
    for n, (start, length, _) in enumerate(placed):
        draft.variable(("car", n), list(range(side - length + 1)), start)
    for cell in range(side * side):
        draft.variable(("free", cell), [False, True], cell not in taken)
    for n, (_, length, track) in enumerate(placed):
        for start in range(side - length):
            near, far = ("free", track[start]), ("free", track[start + length])
            forth = {("car", n): start, far: True}, {("car", n): start + 1, far: False, near: True}
            back = {("car", n): start + 1, near: True}, {("car", n): start, near: False, far: True}
            draft.operator(f"forth {n}", *forth)
            draft.operator(f"back {n}", *back)
    return draft.task({("car", 0): side - 2})


def crates(size: int, rng: random.Random) -> Task:
    """Crates to push onto marks in a room with pillars; walking costs nothing."""
    width = height = size + 4
    pillars = set(rng.sample(range(width * height), size + 2))
    free: list[Hashable] = [cell for cell in range(width * height) if cell not in pillars]
    inner = [c for c in free if isinstance(c, int) and 0 < c % width < width - 1 and 0 < c // width < height - 1]
    count = min(2 + size // 2, len(inner) // 2)
    starts, marks = rng.sample(inner, count), rng.sample(inner, count)
    man = rng.choice([cell for cell in free if cell not in starts])
    draft = Draft()
    draft.variable("man", free, man)
    for cell in free:
        draft.variable(cell, [False, True], cell in starts)
    for cell in (c for c in free if isinstance(c, int)):
        for over in neighbours(width, height, cell):
            if over in pillars:
                continue
            draft.operator(f"walk {cell} {over}", {"man": cell, over: False}, {"man": over}, 0)
            to = 2 * over - cell
            if to in neighbours(width, height, over) and to not in pillars:
                before = {"man": cell, over: True, to: False}
                draft.operator(f"push {over} {to}", before, {"man": over, over: False, to: True})
    return draft.task(dict.fromkeys(marks, True))


def lift(size: int, rng: random.Random) -> Task:
    """A lift for two takes people to their floors; each floor further costs one more."""
    floors: list[Hashable] = list(range(3 + 2 * size))
    people = [f"p{n}" for n in range(size + 2)]
    draft = Draft()
    draft.variable("lift", floors, 0)
    draft.variable("inside", [0, 1, 2], 0)
    for person in people:
        draft.variable(person, [*floors, "lift"], rng.choice(floors))
    for start, end in permutations(range(len(floors)), 2):
        draft.operator(f"ride {start} {end}", {"lift": start}, {"lift": end}, 1 + abs(start - end))
    for person in people:
        for floor in floors:
            for inside in (0, 1):
                out = {"lift": floor, person: floor, "inside": inside}
                within = {"lift": floor, person: "lift", "inside": inside + 1}
                draft.operator(f"enter {person}", out, {person: "lift", "inside": inside + 1}, 1)
                draft.operator(f"leave {person}", within, {person: floor, "inside": inside}, 1)
    return draft.task({person: rng.choice(floors) for person in people})


def pancakes(size: int, rng: random.Random) -> Task:
    """A stack of pancakes is sorted by flips of its top. A flip of k costs k."""
    count = size + 4
    stack = list(range(count))
    rng.shuffle(stack)
    draft = Draft()
    for place, pancake in enumerate(stack):
        draft.variable(place, list(range(count)), pancake)
    for k in range(2, count + 1):
        effects = []
        for place in range(k):
            effects += [Effect(place, value, {k - 1 - place: value}) for value in range(count)]
        draft.conditional(f"flip {k}", effects, k)
    return draft.task({place: place for place in range(count)})


def painting(size: int, rng: random.Random) -> Task:
    """A robot paints the cells of a floor; what is painted cannot be crossed any more."""
    width, height = 3, size + 1
    cells = list(range(width * (height + 1)))  # the last row stays
    draft = Draft()
    draft.variable("robot", list(cells), cells[-1])
    draft.variable("colour", ["black", "white"], rng.choice(["black", "white"]))
    for cell in cells:
        draft.variable(cell, ["clear", "black", "white"], "clear")
    draft.operator("change to black", {"colour": "white"}, {"colour": "black"}, 2)
    draft.operator("change to white", {"colour": "black"}, {"colour": "white"}, 2)
    for cell in cells:
        for other in neighbours(width, height + 1, cell):
            draft.operator(f"go {cell} {other}", {"robot": cell, other: "clear"}, {"robot": other})
            for colour in ("black", "white"):
                before = {"robot": cell, "colour": colour, other: "clear"}
                draft.operator(f"paint {other} {colour}", before, {other: colour})
    wanted = {cell: rng.choice(["black", "white"]) for cell in cells[: width * height]}
    return draft.task({cell: colour for cell, colour in wanted.items() if cell or size % 3})


def wires(size: int, rng: random.Random) -> Task:
    """A current flows through closed switches; a door opens where it arrives. Axioms say where it flows."""
    count = size + 4
    draft = Draft()
    edges = [(n, rng.randrange(n)) for n in range(1, count)]
    edges += [tuple(rng.sample(range(count), 2)) for _ in range(size)]
    for n in range(len(edges)):
        draft.variable(("switch", n), [False, True], False)
    draft.variable("room", list(range(count)), 0)
    for n in range(count):
        draft.variable(("live", n), [False, True], False, derived=True)
    draft.axiom({}, ("live", 0))
    for n, edge in enumerate(edges):
        for one, other in (edge, edge[::-1]):
            draft.axiom({("switch", n): True, ("live", one): True}, ("live", other))
            draft.operator(f"walk {one} {other}", {"room": one, ("live", other): True}, {"room": other})
        for room in {0, edge[1]}:
            draft.operator(f"close {n}", {"room": room, ("switch", n): False}, {("switch", n): True}, 2)
            draft.operator(f"open {n}", {"room": room, ("switch", n): True}, {("switch", n): False})
    end = count - 1
    return draft.task({"room": end, ("switch", 0): False})


def rovers(size: int, rng: random.Random) -> Task:
    """Rovers slide on ice until something stops them; the first must stop on a mark."""
    side = size + 4
    walls = set(rng.sample(range(1, side * side), side))
    cells = [cell for cell in range(side * side) if cell not in walls]
    starts = rng.sample(cells, 2)
    draft = Draft()
    for n, start in enumerate(starts):
        draft.variable(n, list(cells), start)
    for n, other in ((0, 1), (1, 0)):
        for cell in cells:
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                path = [cell]
                row, column = divmod(cell, side)
                while 0 <= (row := row + down) < side and 0 <= (column := column + right) < side:
                    if row * side + column in walls:
                        break
                    path.append(row * side + column)
                for place in cells:
                    end = path[path.index(place) - 1] if place in path[1:] else path[-1]
                    if end != cell:
                        draft.operator(f"slide {n} to {end}", {n: cell, other: place}, {n: end})
    return draft.task({0: rng.choice(cells)})


def cube(size: int, rng: random.Random) -> Task:
    """The pocket cube: eight corners with three orientations, scrambled by random turns."""
    faces = {  # the corners of a face in the order in which they move, and how they twist
        "U": ((0, 1, 2, 3), (0, 0, 0, 0)),
        "R": ((0, 3, 7, 4), (2, 1, 2, 1)),
        "F": ((1, 0, 4, 5), (1, 2, 1, 2)),
    }
    at = [(corner, 0) for corner in range(8)]  # place -> corner and orientation
    for _ in range(size + 2):
        places, twists = faces[rng.choice("URF")]
        moved = [at[place] for place in places]
        for k, (corner, twist) in enumerate(moved):
            at[places[(k + 1) % 4]] = corner, (twist + twists[k]) % 3
    draft = Draft()
    values: list[Hashable] = [(place, twist) for place in range(8) for twist in range(3)]
    for corner in range(8):
        (start,) = ((place, twist) for place, (c, twist) in enumerate(at) if c == corner)
        draft.variable(corner, values, start)
    for face, (places, twists) in faces.items():
        for turns in (1, 2, 3):
            effects = []
            for corner in range(8):
                for place, twist in values:
                    if place in places:
                        k, new = places.index(place), twist
                        for _ in range(turns):
                            k, new = (k + 1) % 4, (new + twists[k]) % 3
                        before, after = values.index((place, twist)), values.index((places[k], new))
                        effects.append(Effect(corner, after, {corner: before}))
            draft.conditional(f"{face}{turns}", effects)
    return draft.task({corner: (corner, 0) for corner in range(8)})


DOMAINS: dict[str, Callable[[int, random.Random], Task]] = {
    make.__name__: make
    for make in (
        blocks, cars, crates, cube, delivery, hanoi, lift,
        lights, painting, pancakes, pegs, river, rovers, tiles, wires,
    )
}  # fmt: skip


def main() -> None:
    """Write the tasks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sizes", type=int, default=3)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, make in DOMAINS.items():
        for size in range(1, options.sizes + 1):
            task = make(size, random.Random(f"{name} {size} {options.seed}"))
            task.validate()
            (options.folder / f"{name}-{size}.sas").write_text(sas.write(sas.for_planners(task)), encoding="ascii")


if __name__ == "__main__":
    main()
