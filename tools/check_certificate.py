#!/usr/bin/env python3
"""Checks Sokoban certificates of version 2, with Python's standard library and nothing of puzzlemc.

    python3 tools/check_certificate.py CERT...

Slow and plain, for whoever wants to trust one short file: some ten thousand states a minute. Ends with 0 where all
are valid, 4 where one is refuted, 2 where one cannot be read or is too large. docs/certificates.md has the format.
encodings/sokoban/proof/bidirectional.py has the conditions, with the proof that they suffice; they are numbered as
there.

A square is one bit of an integer, and so a set of squares is an integer, too: `<< 1` is one step to the right.
"""

import json
import math
import os
import sys
import zlib
from array import array

BEGIN, END = b'{\n "format": "puzzlemc-certificate",\n "version": 2,\n', b"\n}\n"
BLOCK = 1 << 16
NEVER = math.inf  # the cost of what is not listed, and the distance where there is no way: above every number
LIMIT = 1 << 28  # all costs that a certificate names are below this, and the scale is, too

# Bounds on what a file makes this program do. What is larger is not checked.
MOST_BYTES = 1 << 26  # of a file
MOST_HEAD = 1 << 22  # bytes of its JSON object
MOST_AREA = 1 << 14  # of the rectangle around a level
ROOM = 1 << 29  # bytes for distances and states together, as estimated

FIELDS = {
    "format",
    "version",
    "id",
    "title",
    "puzzle",
    "level",
    "encoding",
    "metric",
    "verdict",
    "cost",
    "optimal",
}
FIELDS |= {"trace", "proof"}
SIZES = ("below", "ahead", "behind", "objects")
PRICES = {"pushes": (1, 0), "moves": (1, 1)}  # of a push, and of a step of a walk
CELLS = set("#@+$*. -_")  # a count of cells, as other files have it, is none of them


class Refuted(Exception):
    """The certificate is wrong."""


class Unreadable(Exception):
    """The file is no Sokoban certificate of version 2."""


class TooLarge(Exception):
    """The check would take more memory than this program may have."""


def bits(squares):
    """Yield the single squares of a set, in reading order."""
    while squares:
        yield squares & -squares
        squares &= squares - 1


class Board:
    """A level: its floor, boxes, goals and player, and the ways to push and to pull."""

    def __init__(self, rows, push, walk):
        """`push` and `walk` are what a push and a step of a walk cost."""
        self.push, self.walk = push, walk
        if any(not row.strip() or not CELLS.issuperset(row) for row in rows):
            raise Unreadable("level: expected rows of # @ + $ * . and space")
        rows = [row.replace("-", " ").replace("_", " ").rstrip() for row in rows]
        self.width = max(map(len, rows), default=0) + 2
        area = self.width * (len(rows) + 2)
        if area > MOST_AREA:
            raise TooLarge(f"a level of {self.width - 2} x {len(rows)} squares")
        # What an entry of a dictionary takes with its key, a tuple of two integers of as many bits as the area.
        self.entry = 300 + area // 3
        self.room = ROOM
        at = {}
        for number, row in enumerate(rows, start=1):
            for column, what in enumerate(row, start=1):
                at[1 << number * self.width + column] = what
        players = [square for square, what in at.items() if what in "@+"]
        if len(players) != 1:
            raise Unreadable("level: expected one player")
        inside = sum(square for square, what in at.items() if what != "#")
        self.steps = (1, -1, self.width, -self.width)
        (self.player,) = players
        self.floor = inside
        self.floor = self.region(self.player, 0)
        for step in self.steps:
            if any(self.shift(square, step) not in at for square in bits(self.floor)):
                raise Unreadable("level: expected walls around")
        self.boxes = sum(s for s, what in at.items() if what in "$*") & self.floor
        goals = [s for s, what in at.items() if what == "." or (what in "*+" and s & self.floor)]
        self.goals = sum(goals)
        self.squares = list(bits(self.floor))
        self.all_reachable = self.goals & ~self.floor == 0
        self.targets = goals
        self.aim, self.source, self.can_hold = {}, {}, 0  # `measure` finds them

    def measure(self):
        """Find the distances of single boxes. Raises TooLarge."""
        # A box cuts the floor into four parts at most, so that each square of a box has four entries at most.
        self.take(4 * len(self.squares), 2 * self.entry + 8 * (len(self.targets) + self.boxes.bit_count()))
        self.aim = self.distances(self.targets, forward=False)
        self.source = self.distances(list(bits(self.boxes)), forward=True)
        self.can_hold = sum({box for _, box in self.source})

    def take(self, count, size):
        """Note that `count` things of `size` bytes are kept. Raises TooLarge when the room is used up."""
        self.room -= count * size
        if self.room < 0:
            raise TooLarge(f"more than {ROOM >> 20} MiB of distances and states")

    @staticmethod
    def shift(squares, step):
        """The squares one step further."""
        return squares << step if step > 0 else squares >> -step

    def layers(self, player, boxes):
        """Yield the squares to which the player walks in 0, 1, 2, ... steps, as sets."""
        free = self.floor & ~boxes
        layer = player
        while layer:
            yield layer
            free &= ~layer
            layer = (layer << 1 | layer >> 1 | layer << self.width | layer >> self.width) & free

    def region(self, player, boxes):
        """All squares to which the player walks."""
        return sum(self.layers(player, boxes))

    def vertex(self, player, boxes):
        """The position that stands for this one: where walks cost nothing, with the player on the first square."""
        if not self.walk:
            region = self.region(player, boxes)
            player = region & -region
        return player, boxes

    def is_vertex(self, player, boxes):
        """Where walks cost: is this the start, or can it be a position just after a push?"""
        if (player, boxes) == (self.player, self.boxes):
            return True
        return bool(player & self.can_hold) and any(
            self.shift(player, step) & boxes and self.shift(player, -step) & self.floor & ~boxes
            for step in self.steps
        )

    def pushes(self, player, boxes):
        """Yield the positions to which a push leads, after a walk, and what both cost."""
        for distance, layer in enumerate(self.layers(player, boxes)):
            for step in self.steps:
                for box in bits(self.shift(layer, step) & boxes):
                    to = self.shift(box, step)
                    if to & self.floor & ~boxes:
                        yield self.vertex(box, boxes ^ box ^ to), self.push + self.walk * distance

    def pulls(self, player, boxes):
        """Yield the positions from which a push leads to this one, after a walk, and what both cost."""
        where = player if self.walk else self.region(player, boxes)
        for step in self.steps:
            for box in bits(self.shift(where, step) & boxes):
                here = self.shift(box, -step)
                behind = self.shift(here, -step)
                if not behind & self.floor & ~boxes:
                    continue
                before = boxes ^ box ^ here
                if not self.walk:
                    yield self.vertex(behind, before), self.push
                    continue
                for distance, layer in enumerate(self.layers(behind, before)):
                    for square in bits(layer):
                        if self.is_vertex(square, before):
                            yield (square, before), self.push + self.walk * distance

    def solved(self):
        """All solved vertices; there are as many boxes as goals."""
        if self.all_reachable:
            for player in bits(self.floor & ~self.goals):
                if self.is_vertex(player, self.goals) if self.walk else True:
                    yield self.vertex(player, self.goals)

    # Bounds

    def distances(self, targets, forward):
        """(first square of the player, square of a box that is alone) -> its least number of pushes, by target.

        To the target, or with `forward`, from there with the player where the level starts.
        """
        board = object.__new__(Board)  # the same floor, walks for nothing, and one box
        board.floor, board.width, board.steps = self.floor, self.width, self.steps
        board.push, board.walk = 1, 0
        found = {}
        for number, target in enumerate(targets):
            if not target & self.floor:
                continue
            starts = [self.player] if forward else bits(self.floor & ~target)
            layer = {board.vertex(player, target) for player in starts if player != target}
            cost = 0
            while layer:
                for each in layer:
                    found.setdefault(each, [NEVER] * len(targets))[number] = cost
                leading = board.pushes if forward else board.pulls
                after = {each for one in layer for each, _ in leading(*one)}
                layer = {each for each in after if found.get(each, [NEVER] * len(targets))[number] == NEVER}
                cost += 1
        return found

    def bound(self, table, targets, player, boxes):
        """The least sum of distances over all ways to give each target a box of its own."""
        rows = []
        for box in bits(boxes):
            region = self.region(player, box)
            rows.append(table.get((region & -region, box), [NEVER] * targets))
        return assignment([[row[target] for row in rows] for target in range(targets)])


def assignment(table):
    """The least sum of one number a row, no two in one column (Kuhn 1955); NEVER if each such sum has a NEVER."""
    rows, columns = len(table), len(table[0]) if table else 0
    if rows > columns:
        return NEVER
    # A number above all sums without a NEVER takes its place: differences of NEVER would be no numbers.
    far = 1 + rows * max((each for row in table for each in row if each < NEVER), default=0)
    table = [[min(far, each) for each in row] for row in table]
    match, of_column, of_row = [0] * (columns + 1), [0] * (columns + 1), [0] * (rows + 1)
    for row in range(1, rows + 1):
        match[0] = row
        column = 0
        least, way, used = [NEVER] * (columns + 1), [0] * (columns + 1), [False] * (columns + 1)
        while match[column]:
            used[column] = True
            at, delta, nearest = match[column], NEVER, 0
            for other in range(1, columns + 1):
                if not used[other]:
                    reduced = table[at - 1][other - 1] - of_row[at] - of_column[other]
                    if reduced < least[other]:
                        least[other], way[other] = reduced, column
                    if least[other] < delta:
                        delta, nearest = least[other], other
            for other in range(columns + 1):
                if used[other]:
                    of_row[match[other]] += delta
                    of_column[other] -= delta
                else:
                    least[other] -= delta
            column = nearest
        while column:
            match[column] = match[way[column]]
            column = way[column]
    total = sum(table[match[column] - 1][column - 1] for column in range(1, columns + 1) if match[column])
    return total if total < far else NEVER


# The file


def number(value, what):
    """The value, a whole number from 0. Raises Unreadable."""
    if type(value) is not int or value < 0:
        raise Unreadable(f"{what}: expected a whole number from 0, found {value!r}")
    return value


def below_limit(value, what):
    """The value, a whole number from 0 and below the limit of costs. Raises Unreadable, Refuted."""
    if number(value, what) >= LIMIT:
        raise Refuted(f"{what}: costs of {LIMIT} and more are none of a level")
    return value


def once(pairs):
    """The object of these fields. Raises ValueError where one stands twice."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a field stands twice")
    return dict(pairs)


def read(path):
    """The object of a certificate, and the bytes behind it. Raises Unreadable, TooLarge."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise TooLarge(f"a file of more than {MOST_BYTES >> 20} MiB")
        if not data.startswith(BEGIN):
            raise ValueError("it begins otherwise")
        end = data.index(END) + len(END)
        if end > MOST_HEAD:
            raise TooLarge(f"a JSON object of more than {MOST_HEAD >> 20} MiB")
        told = json.loads(data[:end], object_pairs_hook=once)
    except (OSError, ValueError, RecursionError) as error:
        raise Unreadable(f"expected a Sokoban certificate of version 2, as it was written ({error})") from None
    if not isinstance(told, dict) or (told.get("format"), told.get("version")) != ("puzzlemc-certificate", 2):
        raise Unreadable("expected a certificate of version 2")
    if told.get("puzzle") != "sokoban" or not isinstance(told.get("proof"), dict):
        raise Unreadable("expected a proof about a level of Sokoban")
    if told.keys() != FIELDS or told["proof"].keys() - {"scale"} != {*SIZES, "forward", "backward"}:
        raise Unreadable("expected the fields of a certificate of version 2, each once")
    texts = [told[name] for name in ("id", "title", "encoding", "metric", "verdict")]
    rows = told["level"] if isinstance(told["level"], list) else [None]
    if not all(isinstance(text, str) for text in texts + rows) or not isinstance(told["optimal"], bool):
        raise Unreadable("expected texts, rows of text, and true or false")
    if told["cost"] is not None:
        number(told["cost"], "cost")
    return told, memoryview(data)[end:]


def states(blocks, data, board, objects, most, wide):
    """Position -> cost, of the states of some blocks at the beginning of the data; and the rest of the data.

    The upper half of `wide` costs stands behind the objects. Raises Unreadable, Refuted, TooLarge.
    """
    numbers = 2 + objects + wide
    found = {}
    for count, size in blocks:
        if not 0 < number(count, "proof") <= BLOCK or number(size, "proof") == 0:
            raise Unreadable("proof: sizes that do not fit")
        board.take(count, board.entry + 6 * numbers)  # the numbers are there as bytes and as columns
    for count, size in blocks:
        if size > len(data):
            raise Unreadable("proof: fewer bytes than it says")
        length = 2 * numbers * count
        machine = zlib.decompressobj()
        try:
            plain = machine.decompress(data[:size], length + 1)
        except zlib.error:
            raise Refuted("a block cannot be read") from None
        if len(plain) != length or not machine.eof or machine.unused_data:
            raise Refuted("a block does not have the states that it says")
        data = data[size:]
        columns = []
        for place in range(numbers):
            value, column = 0, array("H")
            for row in range(place * count, (place + 1) * count):
                value = value + plain[row] + 256 * plain[length // 2 + row] & 0xFFFF
                column.append(value)
            columns.append(column)
        for cost, *places in zip(*columns, strict=True):
            if wide:
                cost += places.pop() << 16
            if cost >= most or max(places) >= len(board.squares) or places[1:] != sorted(set(places[1:])):
                raise Refuted("a state is none")
            player, *boxes = (board.squares[place] for place in places)
            if player in boxes or (player, sum(boxes)) in found:
                raise Refuted("a state is none, or stands twice")
            found[player, sum(boxes)] = cost
    return found, data


# The check


def check(path):
    """What a certificate shows. Raises Refuted or Unreadable."""
    told, data = read(path)
    proof, metric, verdict = told["proof"], told["metric"], told["verdict"]
    free, wide = proof["below"] is None, "scale" in proof
    scale = below_limit(proof["scale"], "scale") if wide else 0
    board = Board(told["level"], *((0, 0) if free else prices(metric, scale, wide)))
    less = max(0, below_limit(proof["below"], "below") // scale - 1) if scale and not free else 0
    if scale and scale <= less * (len(board.squares) if metric.startswith("pushes") else 1):
        raise Refuted(f"a scale of {scale} does not tell of both metrics")
    below, ahead, behind = (
        NEVER if proof[what] is None else below_limit(proof[what], what) for what in ("below", "ahead", "behind")
    )
    boxes, goals = board.boxes.bit_count(), board.goals.bit_count()
    if number(proof["objects"], "objects") != boxes:
        raise Refuted("states of another number of boxes")
    if ahead >= below:  # condition 4
        behind = 0
    elif behind >= below:
        ahead = 0
    elif free or not ahead or not behind or ahead + behind < below - board.push:
        raise Refuted(f"costs below {ahead} and {behind} do not show a bound of {below}")
    if behind and goals != boxes:
        raise Refuted("solved positions cannot be listed")
    near, data = states(proof["forward"], data, board, boxes, 1 if free and ahead else ahead, wide)
    far, data = states(proof["backward"], data, board, boxes, 1 if free and behind else behind, wide)
    if len(data):
        raise Unreadable("proof: more bytes than it says")
    check_sets(board, near, far, below, ahead, behind)
    return told_by(told, board, None if free else below, metric, scale, verdict)


def prices(metric, scale, wide):
    """What a push and a step of a walk cost, by one metric or by two in order. Raises Refuted.

    `wide` says that the certificate has a scale: what the first of two metrics counts costs that much more.
    """
    first, comma, second = metric.partition(",")
    if first not in PRICES or bool(comma) != wide or (comma and second not in PRICES) or first == second:
        raise Refuted(f"there are no costs of {metric!r}")
    if wide and not scale:
        raise Refuted(f"there are no costs of {metric!r}")
    if not comma:
        return PRICES[first]
    return tuple(scale * one + other for one, other in zip(PRICES[first], PRICES[second], strict=True))


def check_sets(board, near, far, below, ahead, behind):
    """Check conditions 1 to 3. Raises Refuted, TooLarge."""
    board.measure()
    start = board.vertex(board.player, board.boxes)
    goals, boxes = board.goals.bit_count(), board.boxes.bit_count()
    push = max(1, board.push)

    def is_solved(vertex):
        return vertex[1] & board.goals == board.goals

    if is_solved(start) and below:
        raise Refuted("the start is solved")
    if far.get(start, below) < below:
        raise Refuted("the start is near the goal")

    departing = {}
    if behind:
        enough = max(behind, below - ahead)  # what arrives at `ahead` or more does so at `below - enough` or more
        departs = (
            each for some in (((vertex, 0) for vertex in board.solved()), pulled(board, far)) for each in some
        )
        for vertex, cost in departs:
            if cost >= enough or far.get(vertex, NEVER) <= cost or departing.get(vertex, NEVER) <= cost:
                continue
            if push * board.bound(board.source, boxes, *vertex) >= below - cost:
                continue
            if cost < behind:
                raise Refuted("something that leads to near the goal is left out")
            if vertex not in departing:
                board.take(1, board.entry)
            departing[vertex] = cost

    if not ahead:
        return
    if any(cost < below and is_solved(vertex) for vertex, cost in near.items()):
        raise Refuted("a state near the start is solved")
    arrives = ((after, cost + price) for vertex, cost in near.items() for after, price in board.pushes(*vertex))
    for vertex, cost in (each for some in ([(start, 0)], arrives) for each in some):
        if cost >= ahead:
            if min(far.get(vertex, NEVER), departing.get(vertex, NEVER)) < below - cost:
                raise Refuted("what is near the start leads to what is near the goal")
        elif near.get(vertex, NEVER) > cost and push * board.bound(board.aim, goals, *vertex) < below - cost:
            raise Refuted("something to which it leads from near the start is left out")


def pulled(board, far):
    """Yield what leads to the states near the goal, and what that costs."""
    for vertex, cost in far.items():
        for before, price in board.pulls(*vertex):
            yield before, cost + price


def told_by(told, board, below, metric, scale, verdict):
    """What the certificate says, if its proof and its trace show it. Raises Refuted."""
    if verdict == "unsolvable":
        if below is not None or told["trace"] is not None or told["cost"] is not None or told["optimal"]:
            raise Refuted("that is no proof that there is no solution")
        return "unsolvable"
    if below is None:
        raise Refuted("a proof that there is no solution, for another verdict")
    if verdict == "unknown" and told["trace"] is None and told["cost"] is None and not told["optimal"]:
        if scale:
            raise Refuted(f"a bound is one on a single metric, not on {metric}")
        return f"no solution below {below} {metric}"
    cost, spending = below // scale if scale else below, below
    if verdict == "solvable" and not told["optimal"] and not scale:
        cost = spending = number(told["cost"], "cost")
        if below > cost:
            raise Refuted(f"a solution of cost {cost}, and a bound of {below}")
    elif verdict != "solvable" or not told["optimal"] or told["cost"] != cost:
        raise Refuted("the proof is not of what is said")
    player, boxes, spent = board.player, board.boxes, 0
    steps = {"l": -1, "r": 1, "u": -board.width, "d": board.width}
    for letter in told["trace"]:
        if letter.lower() not in steps:
            raise Refuted(f"{letter!r} is no move")
        step = steps[letter.lower()]
        player = board.shift(player, step)
        pushed = player & boxes
        to = board.shift(player, step)
        if (
            not player & board.floor
            or bool(pushed) != letter.isupper()
            or (pushed and not to & board.floor & ~boxes)
        ):
            raise Refuted(f"{letter!r} is no legal move")
        if pushed:
            boxes ^= pushed | to
        spent += board.push if pushed else board.walk
    if boxes & board.goals != board.goals or spent != spending:
        raise Refuted("the trace does not solve the level at that cost")
    if scale:
        first, _, second = metric.partition(",")
        return f"solvable, {cost} {first} are the fewest, and {below % scale} {second} the fewest with these"
    if not told["optimal"]:
        return f"solvable, {cost} {metric}, and none below {below}"
    return f"solvable, {cost} {metric} are the fewest"


def main(paths):
    """Check the certificates, print a line for each, and return the exit code."""
    codes = {0}
    for path in paths:
        try:
            print(f"valid: {path}: {check(path)}", flush=True)
        except Refuted as wrong:
            codes.add(4)
            print(f"refuted: {path}: {wrong}", flush=True)
        except (TooLarge, MemoryError) as large:
            codes.add(2)
            print(f"not checked: {path}: too large for this program: {large or 'no memory is left'}", flush=True)
        except (Unreadable, KeyError, TypeError, ValueError, AttributeError) as wrong:
            codes.add(2)
            print(f"unreadable: {path}: {type(wrong).__name__}: {wrong}", flush=True)
    return next(code for code in (4, 2, 0) if code in codes)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python would write once more
        sys.exit(141)
