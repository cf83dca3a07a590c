#!/usr/bin/env python3
"""Checks certificates that every repair of a level of Sokoban has at least a number of edits (version 6).

    python3 tools/check_repairs.py CERT...

CERT is a file or a folder. check_certificate.py calls this program for such files, and this one calls that for
others, so either takes all.

Like check_certificate.py, whose board and whose reader of states it uses, it needs Python's standard library alone
and nothing of puzzlemc. encodings/sokoban/proof/repairs.py says what is checked, and proves that it suffices; this
program repeats that checker on purpose and must never import it.
"""

import json
import os
import sys
from itertools import combinations

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # `python -I` leaves it out

from check_certificate import (
    END,
    FIELDS,
    HEAD,
    MOST_BYTES,
    ROOM,
    Board,
    OfAnotherKind,
    Refuted,
    TooLarge,
    Unreadable,
    bits,
    judged,
    main,
    number,
    once,
    states,
)

BEGIN = HEAD + b"6,\n"
MOST_HEAD = 1 << 25  # bytes of the JSON object: cores name all objects
KINDS = ("walls", "boxes", "goals", "player", "drop", "add")
PROOF = {"edits", "keep", "least", "objects", "cores"}
SETS = ("kept", "freed", "placed", "removed")
CORE = {*SETS, "needed", "objects", "positions"}
MOST_EDITS = 100


def read(path):
    """The JSON object of a certificate, and the bytes after it. Raises Unreadable, OfAnotherKind, TooLarge."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise TooLarge(f"a file of more than {MOST_BYTES >> 20} MiB")
        if not data.startswith(BEGIN):
            raise ValueError("the first lines are different")
        end = data.index(END) + len(END)
        if end > MOST_HEAD:
            raise TooLarge(f"a JSON object of more than {MOST_HEAD >> 20} MiB")
        certificate = json.loads(data[:end], object_pairs_hook=once)
    except (OSError, ValueError, RecursionError) as error:
        raise Unreadable(f"expected an unchanged certificate of version 6 ({error})") from None
    if not isinstance(certificate, dict) or certificate.keys() != FIELDS:
        raise Unreadable("expected the fields of a certificate of version 6, each once")
    if certificate["puzzle"] != "sokoban":
        raise OfAnotherKind("it is not about a level of Sokoban; puzzlemc verify checks it")
    proof, rows = certificate["proof"], certificate["level"]
    if not isinstance(proof, dict) or proof.keys() != PROOF or not isinstance(rows, list):
        raise Unreadable("expected a proof about repairs, and rows of a level")
    if not all(isinstance(proof[name], list) for name in ("edits", "keep", "objects", "cores")):
        raise Unreadable("expected lists of edits, cells to keep, objects and cores")
    texts = [certificate[name] for name in ("id", "title", "encoding", "metric", "verdict")]
    if not all(isinstance(text, str) for text in (*texts, *rows, *proof["edits"], *proof["objects"])):
        raise Unreadable("expected texts, and rows of text")
    if certificate["format"] != "puzzlemc-certificate" or certificate["version"] != 6:
        raise Unreadable("expected a certificate of version 6")
    for cell in proof["keep"]:
        row, column = cell
        if not (number(row, "keep") and number(column, "keep")):
            raise Unreadable("keep: expected rows and columns from 1")
    for core in proof["cores"]:
        if not isinstance(core, dict) or core.keys() != CORE:
            raise Unreadable("expected the fields of a core, each once")
        for name in SETS:
            for each in core[name]:
                number(each, name)
        number(core["needed"], "needed")
        number(core["objects"], "objects")
    return certificate, memoryview(data)[end:]


def check(path):
    """The statement that a certificate proves. Raises Refuted, Unreadable, OfAnotherKind, TooLarge."""
    certificate, data = read(path)
    if certificate["verdict"] != "unsolvable":
        raise Refuted("only an unsolvable level has repairs")
    if certificate["trace"] is not None or certificate["cost"] is not None or certificate["optimal"] is not False:
        raise Refuted("an unsolvable level has no trace, no cost and no optimum")
    proof = certificate["proof"]
    edits, least = proof["edits"], number(proof["least"], "least")
    if not 1 <= least <= MOST_EDITS:
        raise Refuted(f"expected a number of edits from 1 to {MOST_EDITS}")
    if len(set(edits)) < len(edits) or not set(edits) <= set(KINDS):
        raise Refuted(f"expected kinds of edits, of {' '.join(KINDS)}")
    level = Level(certificate["level"])
    names = proof["objects"]
    if len(set(names)) < len(names) or set(names) != level.names(names):
        raise Refuted("the objects are not those of the level")
    cores = [Core(core, names) for core in proof["cores"]]
    keep = {(row, column) for row, column in proof["keep"]}
    missed = missing(level, cores, edits, keep, least - 1, sum(name.startswith("added ") for name in names))
    if missed is not None:
        raise Refuted(f"no core shows that nothing is repaired by {', '.join(sorted(missed)) or 'no edit'}")
    for core in cores:
        data = check_core(level, core, data)
    if len(data):
        raise Unreadable("proof: the file has more bytes than its object says")
    return f"unsolvable; no repair has fewer than {least} edit{'s' * (least != 1)} ({', '.join(edits)})"


class Level:
    """The objects of a level by their names, with their squares; rows and columns are counted from 1."""

    def __init__(self, rows):
        self.board = board = Board(rows, 0, 0)
        walls = sum(
            1 << (row * board.width + column)
            for row, text in enumerate(rows, 1)
            for column, what in enumerate(text, 1)
            if what == "#"
        )
        solid = walls | board.floor
        inner = [wall for wall in bits(walls) if all(board.shift(wall, step) & solid for step in board.steps)]
        self.boxes = {self.name("box", box): box for box in bits(board.boxes)}
        self.goals = {self.name("goal", goal): goal for goal in bits(board.goals)}
        self.walls = {self.name("wall", wall): wall for wall in inner}

    def place(self, square):
        """The row and the column of a square."""
        return divmod(square.bit_length() - 1, self.board.width)

    def name(self, kind, square):
        """The name of the object of a kind on a square."""
        row, column = self.place(square)
        return f"{kind} {row},{column}"

    def names(self, given):
        """The names of all objects, with as many added boxes as are among the given names."""
        added = sum(name.startswith("added ") for name in given)
        return {*self.boxes, *self.goals, *self.walls, "player", *added_names(added)}


def added_names(count):
    """The names of the first added boxes."""
    return [f"added {each}" for each in range(1, count + 1)]


class Core:
    """A core, with its sets of objects by name."""

    def __init__(self, core, names):
        """Raises Refuted unless each object is kept or freed, and placed and removed ones are freed boxes."""
        if sorted(core["kept"] + core["freed"]) != list(range(len(names))):
            raise Refuted("an object of a core must be either kept or freed")
        special = core["placed"] + core["removed"]
        if len(set(special)) < len(special) or not set(special) <= set(core["freed"]):
            raise Refuted("placed and removed boxes of a core must be freed, each once")
        self.freed, self.placed, self.removed = ({names[each] for each in core[name]} for name in SETS[1:])
        if not all(name.startswith("box ") for name in self.placed | self.removed):
            raise Refuted("placed and removed objects of a core must be boxes")
        self.needed, self.width, self.blocks = core["needed"], core["objects"], core["positions"]

    def is_about(self, touched, dropped):
        """Is it about a change that touches these objects and drops those boxes?"""
        return touched <= self.freed and self.removed <= dropped and not dropped & self.placed


def missing(level, cores, edits, keep, size, added):
    """The objects of a change of up to `size` edits that no core is about, None if there is none."""
    free = [
        {name for name, square in mine.items() if level.place(square) not in keep}
        for mine in (level.boxes, level.goals, level.walls)
    ]
    boxes, goals, walls = free
    single = {"boxes": boxes, "goals": goals, "walls": walls, "player": {"player"}}
    if level.place(level.board.player) in keep:
        del single["player"]
    choices = [({name}, set()) for kind, mine in single.items() if kind in edits for name in sorted(mine)]
    if "drop" in edits:
        choices += [({box, goal}, {box}) for box in sorted(boxes) for goal in sorted(goals)]
    cores = sorted(cores, key=lambda core: -len(core.freed))

    def change(touched, dropped, left):
        about = next((core for core in cores if core.is_about(touched, dropped)), None)
        if about is None:
            return touched
        for objects, gone in choices if left else ():
            if objects & touched or (gone and len(dropped) + 1 >= len(level.goals)):
                continue
            if objects <= about.freed and not gone & about.placed:
                continue  # the core is about it, too
            found = change(touched | objects, dropped | gone, left - 1)
            if found is not None:
                return found
        return None

    lacking = max(0, len(level.goals) - len(level.boxes)) if "boxes" in edits else 0
    for adds in range((size if "add" in edits else min(size, lacking)) + 1):
        if adds > added:
            return {f"added {adds}"}
        found = change(set(added_names(adds)), set(), size - adds)
        if found is not None:
            return found
    return None


def check_core(level, core, data):
    """Check the list of a core, which begins the data; return the data after it."""
    board = level.board
    gone = core.freed - core.placed - core.removed
    needed = len(level.goals) - len(gone - {"player"} - level.walls.keys())
    if needed < 1 or core.needed != needed:
        raise Refuted(f"{core.needed} boxes are needed, expected {needed}, and at least 1")
    boxes = sum(square for name, square in level.boxes.items() if name not in core.freed)
    goals = sum(square for name, square in level.goals.items() if name not in core.freed)
    if core.width != boxes.bit_count() + len(core.placed):
        raise Refuted("the positions have another number of boxes than the core")
    opened = board.floor | sum(square for name, square in level.walls.items() if name in core.freed)
    relaxed = object.__new__(Board)  # the floor of the core
    relaxed.width, relaxed.steps, relaxed.entry = board.width, board.steps, board.entry
    relaxed.push, relaxed.walk, relaxed.room, relaxed.floor = 0, 0, ROOM, opened
    relaxed.floor = floor = relaxed.region(board.player, 0)
    relaxed.squares = list(bits(floor))
    listed, data = states(core.blocks, data, relaxed, core.width, 1, False)

    live = before = goals & floor
    while True:
        for step in board.steps:  # a push by this step
            live |= board.shift(before, -step) & board.shift(floor, step) & floor
        if live == before:
            break
        before = live

    def is_covered(vertex):
        return (vertex[1] & live).bit_count() < needed or vertex in listed

    rest = [square for square in relaxed.squares if not square & boxes]
    for some in combinations(rest, len(core.placed)):
        standing = boxes | sum(some)
        players = rest if "player" in core.freed else [board.player]
        for player in players:
            if not player & standing and not is_covered(relaxed.vertex(player, standing)):
                raise Refuted("a list lacks a position where a play begins")
    for vertex in listed:
        if relaxed.vertex(*vertex) != vertex:
            raise Refuted("the player of a position is not on the first square")
        if (vertex[1] & goals).bit_count() >= needed:
            raise Refuted("a position has enough boxes on goals")
        if not all(is_covered(after) for after, _ in relaxed.pushes(*vertex)):
            raise Refuted("a list lacks a position after a push")
    return data


def said(path):
    """Check a certificate, print a line about it, and return its exit code."""
    return judged(path, check)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(sys.argv[1:]))
