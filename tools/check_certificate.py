#!/usr/bin/env python3
"""Checks Sokoban certificates that list positions, with Python's standard library and nothing of puzzlemc.

    python3 tools/check_certificate.py CERT...

CERT is a file, or a folder: then all files in it that end in .cert or .strategies. A certificate with a solution
and no proof is valid if the solution is; nothing is said about better ones then. Proofs of another kind are not
checked. Strategies of PuzzleScript levels with chance (.strategies) are, by check_strategies.py beside this file,
and proofs that repairs of a level have at least a number of edits, by check_repairs.py.

It is slow (about ten thousand states a minute), but its user has to trust one short file only. The exit code is 0
if all certificates are valid, 4 if one is refuted, and 2 if one cannot be read or was not checked.

docs/certificates.md describes the format. encodings/sokoban/proof/bidirectional.py states the conditions and
proves that they suffice; the comments below use its numbers. This program repeats that checker on purpose and must
never import it: the two share no code, so that an error in one shows as a disagreement, and this one runs without
puzzlemc.

A square is one bit of an integer, and a set of squares is the sum of its squares: `<< 1` moves a set one step to
the right.
"""

import json
import math
import os
import sys
import zlib
from array import array
from itertools import chain

HEAD = b'{\n "format": "puzzlemc-certificate",\n "version": '
BEGIN, END = HEAD + b"2,\n", b"\n}\n"
ONLY_A_TRACE = HEAD + b"1,\n", b' "proof": null\n}\n'  # how a certificate without a proof begins and ends
OF_REPAIRS = HEAD + b"6,\n"
STRATEGIES = b"puzzlemc-strategies"
BLOCK = 1 << 16
INFINITE = math.inf  # the cost of a state that is not listed, and the distance to an unreachable square
LIMIT = 1 << 28  # all costs in a certificate, and its scale, are less than this

# Limits on time and memory that a file can cost. Larger files are not checked.
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
PRICES = {"pushes": (1, 0), "moves": (1, 1)}  # the costs of a push and of a step without a push
CELLS = set("#@+$*. -_")  # run-length encoding is not allowed here


class Refuted(Exception):
    """The certificate is wrong."""


class Unreadable(Exception):
    """The file is no Sokoban certificate of a form that this program knows."""


class OfAnotherKind(Exception):
    """The certificate has a proof of a kind, or is about a puzzle, that this program does not know."""


class TooLarge(Exception):
    """The check would need more memory than this program may use."""


def bits(squares):
    """Yield the single squares of a set, in reading order."""
    while squares:
        yield squares & -squares
        squares &= squares - 1


class Board:
    """A level: its floor, boxes, goals and player, with pushes and pulls."""

    def __init__(self, rows, push, walk):
        """Read the rows of a level; `push` and `walk` are the costs of a push and of a step without a push."""
        self.push, self.walk = push, walk
        if any(not row.strip() or not CELLS.issuperset(row) for row in rows):
            raise Unreadable("level: expected rows of # @ + $ * . and space")
        rows = [row.replace("-", " ").replace("_", " ").rstrip() for row in rows]
        self.width = max(map(len, rows), default=0) + 2
        area = self.width * (len(rows) + 2)
        if area > MOST_AREA:
            raise TooLarge(f"a level of {self.width - 2} x {len(rows)} squares")
        # Bytes of a dictionary entry. Its key is a tuple of two integers with one bit for each square of the area.
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
        self.to_goal, self.from_start, self.can_hold = {}, {}, 0  # `find_distances` fills them in

    def find_distances(self):
        """Compute the distances of single boxes. Raises TooLarge."""
        # A box cuts the floor into at most four components, so each square of a box has at most four entries.
        self.reserve(4 * len(self.squares), 2 * self.entry + 8 * (len(self.targets) + self.boxes.bit_count()))
        self.to_goal = self.distances(self.targets, forward=False)
        self.from_start = self.distances(list(bits(self.boxes)), forward=True)
        self.can_hold = sum({box for _, box in self.from_start})

    def reserve(self, count, size):
        """Account for `count` objects of `size` bytes. Raises TooLarge when the memory is used up."""
        self.room -= count * size
        if self.room < 0:
            raise TooLarge(f"more than {ROOM >> 20} MiB of distances and states")

    @staticmethod
    def shift(squares, step):
        """The squares, moved by one step."""
        return squares << step if step > 0 else squares >> -step

    def layers(self, player, boxes):
        """Yield the sets of squares that the player reaches in 0, 1, 2, ... steps."""
        free = self.floor & ~boxes
        layer = player
        while layer:
            yield layer
            free &= ~layer
            layer = (layer << 1 | layer >> 1 | layer << self.width | layer >> self.width) & free

    def region(self, player, boxes):
        """All squares that the player reaches."""
        return sum(self.layers(player, boxes))

    def vertex(self, player, boxes):
        """The canonical position: if walking is free, the player stands on the first square that it reaches."""
        if not self.walk:
            region = self.region(player, boxes)
            player = region & -region
        return player, boxes

    def is_vertex(self, player, boxes):
        """If walking costs: is this the start, or can it be the position just after a push?"""
        if (player, boxes) == (self.player, self.boxes):
            return True
        return bool(player & self.can_hold) and any(
            self.shift(player, step) & boxes and self.shift(player, -step) & self.floor & ~boxes
            for step in self.steps
        )

    def pushes(self, player, boxes):
        """Yield each vertex after a walk and a push, with the cost of both."""
        for distance, layer in enumerate(self.layers(player, boxes)):
            for step in self.steps:
                for box in bits(self.shift(layer, step) & boxes):
                    to = self.shift(box, step)
                    if to & self.floor & ~boxes:
                        yield self.vertex(box, boxes ^ box ^ to), self.push + self.walk * distance

    def pulls(self, player, boxes):
        """Yield each vertex from which a walk and a push lead to this one, with the cost of both."""
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
        """Yield all solved vertices of a level with as many boxes as goals."""
        if self.all_reachable:
            for player in bits(self.floor & ~self.goals):
                if self.is_vertex(player, self.goals) if self.walk else True:
                    yield self.vertex(player, self.goals)

    # Bounds

    def distances(self, targets, forward):
        """The least number of pushes of a lone box to each target: {(player, box): [pushes by target]}.

        The player is the first square that it reaches. With `forward`, the pushes are counted from the targets to
        the box, and the player begins at its start square.
        """
        board = object.__new__(Board)  # the same floor with one box, and walking is free
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
                    found.setdefault(each, [INFINITE] * len(targets))[number] = cost
                leading = board.pushes if forward else board.pulls
                after = {each for one in layer for each, _ in leading(*one)}
                layer = {each for each in after if found.get(each, [INFINITE] * len(targets))[number] == INFINITE}
                cost += 1
        return found

    def bound(self, table, targets, player, boxes):
        """The least sum of distances over all assignments of different boxes to the targets."""
        rows = []
        for box in bits(boxes):
            region = self.region(player, box)
            rows.append(table.get((region & -region, box), [INFINITE] * targets))
        return assignment([[row[target] for row in rows] for target in range(targets)])


def assignment(table):
    """The least sum of one number from each row, no two from the same column (Kuhn 1955).

    It is INFINITE if each such sum contains INFINITE.
    """
    rows, columns = len(table), len(table[0]) if table else 0
    if rows > columns:
        return INFINITE
    # INFINITE is replaced by a number above all finite sums, because INFINITE - INFINITE is not a number.
    far = 1 + rows * max((each for row in table for each in row if each < INFINITE), default=0)
    table = [[min(far, each) for each in row] for row in table]
    match, of_column, of_row = [0] * (columns + 1), [0] * (columns + 1), [0] * (rows + 1)
    for row in range(1, rows + 1):
        match[0] = row
        column = 0
        least, way, used = [INFINITE] * (columns + 1), [0] * (columns + 1), [False] * (columns + 1)
        while match[column]:
            used[column] = True
            at, delta, nearest = match[column], INFINITE, 0
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
    return total if total < far else INFINITE


# The file


def number(value, what):
    """The value, a non-negative integer. Raises Unreadable."""
    if type(value) is not int or value < 0:
        raise Unreadable(f"{what}: expected a non-negative integer, found {value!r}")
    return value


def below_limit(value, what):
    """The value, a non-negative integer less than LIMIT. Raises Unreadable, Refuted."""
    if number(value, what) >= LIMIT:
        raise Refuted(f"{what}: expected a number less than {LIMIT}")
    return value


def once(pairs):
    """The object with these fields. Raises ValueError if a field is repeated."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a field is repeated")
    return dict(pairs)


def read(path):
    """The JSON object of a certificate, and the bytes after it. Raises Unreadable, OfAnotherKind, TooLarge."""
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise TooLarge(f"a file of more than {MOST_BYTES >> 20} MiB")
        is_bare = data.startswith(ONLY_A_TRACE[0]) and data.endswith(ONLY_A_TRACE[1])
        if not is_bare and any(data.startswith(HEAD + b"%d,\n" % version) for version in (1, 3, 4, 5)):
            raise OfAnotherKind("its proof does not list positions of Sokoban; puzzlemc verify checks it")
        if not is_bare and not data.startswith(BEGIN):
            raise ValueError("the first line is different")
        end = len(data) if is_bare else data.index(END) + len(END)
        if end > MOST_HEAD:
            raise TooLarge(f"a JSON object of more than {MOST_HEAD >> 20} MiB")
        certificate = json.loads(data[:end], object_pairs_hook=once)
    except (OSError, ValueError, RecursionError) as error:
        raise Unreadable(f"expected an unchanged Sokoban certificate ({error})") from None
    expected = {"format": "puzzlemc-certificate", "version": 1 if is_bare else 2}
    if not isinstance(certificate, dict) or any(
        certificate.get(name) != value for name, value in expected.items()
    ):
        raise Unreadable("expected a certificate of version 1 or 2")
    if certificate.get("puzzle") != "sokoban":
        raise OfAnotherKind("it is not about a level of Sokoban; puzzlemc verify checks it")
    proof = certificate.get("proof")
    lists = isinstance(proof, dict) and proof.keys() - {"scale"} == {*SIZES, "forward", "backward"}
    if certificate.keys() != FIELDS or not (proof is None if is_bare else lists):
        raise Unreadable("expected the fields of a certificate of its version, each once")
    texts = [certificate[name] for name in ("id", "title", "encoding", "metric", "verdict")]
    rows = certificate["level"] if isinstance(certificate["level"], list) else [None]
    if not all(isinstance(text, str) for text in texts + rows) or not isinstance(certificate["optimal"], bool):
        raise Unreadable("expected texts, rows of text, and true or false")
    if certificate["cost"] is not None:
        number(certificate["cost"], "cost")
    return certificate, memoryview(data)[end:]


def states(blocks, data, board, objects, most, wide):
    """The states of the blocks at the beginning of the data, {position: cost}, and the rest of the data.

    A cost must be less than `most`. If costs are `wide`, the last column has their upper 16 bits. Raises
    Unreadable, Refuted, TooLarge.
    """
    numbers = 2 + objects + wide
    found = {}
    for count, size in blocks:
        if not 0 < number(count, "proof") <= BLOCK or number(size, "proof") == 0:
            raise Unreadable("proof: a block has an invalid size")
        board.reserve(count, board.entry + 6 * numbers)  # the numbers are kept as bytes and as columns
    for count, size in blocks:
        if size > len(data):
            raise Unreadable("proof: the file has fewer bytes than its object says")
        length = 2 * numbers * count
        machine = zlib.decompressobj()
        try:
            plain = machine.decompress(data[:size], length + 1)
        except zlib.error:
            raise Refuted("a block cannot be decompressed") from None
        if len(plain) != length or not machine.eof or machine.unused_data:
            raise Refuted("a block does not have its stated number of states")
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
                raise Refuted("a state is not valid")
            player, *boxes = (board.squares[place] for place in places)
            if player in boxes or (player, sum(boxes)) in found:
                raise Refuted("a state is not valid, or is repeated")
            found[player, sum(boxes)] = cost
    return found, data


# The check


def check(path):
    """The statement that a certificate proves. Raises Refuted, Unreadable, OfAnotherKind, TooLarge."""
    certificate, data = read(path)
    proof, metric, verdict = certificate["proof"], certificate["metric"], certificate["verdict"]
    if proof is None:
        return only_a_trace(certificate, metric, verdict)
    free, wide = proof["below"] is None, "scale" in proof
    scale = below_limit(proof["scale"], "scale") if wide else 0
    board = Board(certificate["level"], *((0, 0) if free else prices(metric, scale, wide)))
    less = max(0, below_limit(proof["below"], "below") // scale - 1) if scale and not free else 0
    if scale and scale <= less * (len(board.squares) if metric.startswith("pushes") else 1):
        raise Refuted(f"a scale of {scale} does not separate the two metrics")
    below, ahead, behind = (
        INFINITE if proof[name] is None else below_limit(proof[name], name)
        for name in ("below", "ahead", "behind")
    )
    boxes, goals = board.boxes.bit_count(), board.goals.bit_count()
    if number(proof["objects"], "objects") != boxes:
        raise Refuted("the states have another number of boxes than the level")
    if ahead >= below:  # condition 4
        behind = 0
    elif behind >= below:
        ahead = 0
    elif free or not ahead or not behind or ahead + behind < below - board.push:
        raise Refuted(f"sets of costs below {ahead} and below {behind} do not prove a bound of {below}")
    if behind and goals != boxes:
        raise Refuted("a backward set needs as many boxes as goals")
    near_start, data = states(proof["forward"], data, board, boxes, 1 if free and ahead else ahead, wide)
    near_goal, data = states(proof["backward"], data, board, boxes, 1 if free and behind else behind, wide)
    if len(data):
        raise Unreadable("proof: the file has more bytes than its object says")
    check_sets(board, near_start, near_goal, below, ahead, behind)
    return statement(certificate, board, None if free else below, metric, scale, verdict)


def prices(metric, scale, wide):
    """The costs of a push and of a step without a push, by one metric or by two in order. Raises Refuted.

    `wide`: the certificate has a scale, by which the costs of the first metric are multiplied.
    """
    first, comma, second = metric.partition(",")
    if first not in PRICES or bool(comma) != wide or (comma and second not in PRICES) or first == second:
        raise Refuted(f"there are no costs of {metric!r}")
    if wide and not scale:
        raise Refuted(f"there are no costs of {metric!r}")
    if not comma:
        return PRICES[first]
    return tuple(scale * one + other for one, other in zip(PRICES[first], PRICES[second], strict=True))


def check_sets(board, near_start, near_goal, below, ahead, behind):
    """Check conditions 1 to 3. Raises Refuted, TooLarge."""
    board.find_distances()
    start = board.vertex(board.player, board.boxes)
    goals, boxes = board.goals.bit_count(), board.boxes.bit_count()
    push = max(1, board.push)

    def is_solved(vertex):
        return vertex[1] & board.goals == board.goals

    if is_solved(start) and below:
        raise Refuted("the start is solved")
    if near_goal.get(start, below) < below:
        raise Refuted("the backward set contains the start")

    departing = {}
    if behind:
        # Condition 3 is on vertices that arrive at `ahead` or more: departing at `below - ahead` never violates
        # it.
        most = max(behind, below - ahead)
        departs = chain(((vertex, 0) for vertex in board.solved()), predecessors(board, near_goal))
        for vertex, cost in departs:
            if cost >= most or near_goal.get(vertex, INFINITE) <= cost or departing.get(vertex, INFINITE) <= cost:
                continue
            if push * board.bound(board.from_start, boxes, *vertex) >= below - cost:
                continue
            if cost < behind:
                raise Refuted("the backward set lacks a solved state, or a predecessor of one of its states")
            if vertex not in departing:
                board.reserve(1, board.entry)
            departing[vertex] = cost

    if not ahead:
        return
    if any(cost < below and is_solved(vertex) for vertex, cost in near_start.items()):
        raise Refuted("the forward set contains a solved state")
    arrives = (
        (after, cost + price) for vertex, cost in near_start.items() for after, price in board.pushes(*vertex)
    )
    for vertex, cost in chain([(start, 0)], arrives):
        if cost >= ahead:
            if min(near_goal.get(vertex, INFINITE), departing.get(vertex, INFINITE)) < below - cost:
                raise Refuted("a path from the forward to the backward set is too cheap")
        elif (
            near_start.get(vertex, INFINITE) > cost
            and push * board.bound(board.to_goal, goals, *vertex) < below - cost
        ):
            raise Refuted("the forward set lacks the start, or a successor of one of its states")


def predecessors(board, near_goal):
    """Yield the predecessors of the states of the backward set, with their costs."""
    for vertex, cost in near_goal.items():
        for before, price in board.pulls(*vertex):
            yield before, cost + price


def statement(certificate, board, below, metric, scale, verdict):
    """The statement of the certificate, if its proof and its trace support it. Raises Refuted."""
    trace, known, optimal = certificate["trace"], certificate["cost"], certificate["optimal"]
    is_bare = trace is None and known is None and not optimal
    if verdict == "unsolvable":
        if below is not None or not is_bare:
            raise Refuted("the verdict is unsolvable, but the proof is of a bound, or there is a solution")
        return "unsolvable"
    if below is None:
        raise Refuted("the proof shows that there is no solution, but the verdict is another")
    if verdict == "unknown" and is_bare:
        if scale:
            raise Refuted(f"a bound must be on a single metric, not on {metric}")
        return f"no solution has fewer than {counted(below, metric)}"
    cost, spending = below // scale if scale else below, below
    if verdict == "solvable" and not optimal and not scale:
        cost = spending = number(known, "cost")
        if below > cost:
            raise Refuted(f"the solution costs {cost}, less than the bound of {below}")
    elif verdict != "solvable" or not optimal or known != cost:
        raise Refuted("the proof does not show the stated verdict and cost")
    if replayed(board, trace) != spending:
        raise Refuted("the trace does not solve the level at that cost")
    if scale:
        first, _, second = metric.partition(",")
        more = counted(below % scale, second)
        return f"solvable: the least cost is {counted(cost, first)}, and with these, {more}"
    if not optimal:
        return f"solvable with {counted(cost, metric)}; no solution has fewer than {below}"
    return f"solvable: the least cost is {counted(cost, metric)}"


def only_a_trace(certificate, metric, verdict):
    """The statement of a certificate without a proof. Raises Refuted, Unreadable, TooLarge."""
    trace, known = certificate["trace"], certificate["cost"]
    first, comma, second = metric.partition(",")
    is_least = trace is not None and not trace and metric != "any"  # nothing costs less than no moves
    if verdict != "solvable" or (certificate["optimal"] and not is_least) or trace is None:
        raise Refuted("without a proof, only a solution can be shown, and not that it is the best")
    if metric != "any" and (first not in PRICES or (comma and second not in PRICES) or first == second):
        raise Refuted(f"there are no costs of {metric!r}")
    cost = replayed(Board(certificate["level"], *PRICES["pushes" if metric == "any" else first]), trace)
    if known != (None if metric == "any" else cost):
        raise Refuted("the trace does not solve the level at that cost")
    if metric == "any":
        return "solvable"
    if is_least:
        return f"solvable: the least cost is {counted(cost, first)}"
    return f"solvable with {counted(cost, first)}; there is no proof that no solution has fewer"


def replayed(board, trace):
    """The cost of a trace that solves a level. Raises Refuted."""
    player, boxes, spent = board.player, board.boxes, 0
    steps = {"l": -1, "r": 1, "u": -board.width, "d": board.width}
    for letter in trace:
        if letter.lower() not in steps:
            raise Refuted(f"{letter!r} is not a move")
        step = steps[letter.lower()]
        player = board.shift(player, step)
        pushed = player & boxes
        to = board.shift(player, step)
        if (
            not player & board.floor
            or bool(pushed) != letter.isupper()
            or (pushed and not to & board.floor & ~boxes)
        ):
            raise Refuted(f"{letter!r} is not a legal move")
        if pushed:
            boxes ^= pushed | to
        spent += board.push if pushed else board.walk
    if boxes & board.goals != board.goals:
        raise Refuted("the trace does not solve the level at that cost")
    return spent


def counted(cost, metric):
    """A cost in words: 1 push, 2 pushes."""
    one = {"pushes": "push", "moves": "move"}
    return f"{cost} {one[metric] if cost == 1 else metric}"


def files(path):
    """The certificates that an argument names: those in a folder, or itself. Raises Unreadable."""
    if not os.path.isdir(path):
        return [path]
    found = sorted(
        os.path.join(folder, name)
        for folder, _, names in os.walk(path)
        for name in names
        if name.endswith((".cert", ".strategies"))
    )
    if not found:
        raise Unreadable("found no file in this folder that ends in .cert or .strategies")
    return found


def begins(path, data):
    """Does a file begin with these bytes?"""
    try:
        with open(path, "rb") as file:
            return file.read(len(data)) == data
    except OSError:
        return False


def said(path):
    """Check a certificate, print a line about it, and return its exit code."""
    if begins(path, STRATEGIES) or begins(path, OF_REPAIRS):
        sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # `python -I` leaves it out
        if begins(path, STRATEGIES):
            import check_strategies as other
        else:
            import check_repairs as other
        return other.said(path)
    return judged(path, check)


def judged(path, check):
    """Check a certificate by this function, print a line about it, and return its exit code."""
    try:
        print(f"valid: {path}: {check(path)}", flush=True)
    except Refuted as wrong:
        print(f"refuted: {path}: {wrong}", flush=True)
        return 4
    except OfAnotherKind as other:
        print(f"not checked: {path}: {other}", flush=True)
        return 2
    except (TooLarge, MemoryError) as large:
        print(f"not checked: {path}: too large for this program: {large or 'out of memory'}", flush=True)
        return 2
    except (Unreadable, KeyError, TypeError, ValueError, AttributeError) as wrong:
        print(f"unreadable: {path}: {type(wrong).__name__}: {wrong}", flush=True)
        return 2
    return 0


def main(paths):
    """Check the certificates, print a line for each, and return the exit code."""
    codes = {0}
    for argument in paths:
        try:
            inside = files(argument)
        except Unreadable as wrong:
            codes.add(2)
            print(f"unreadable: {argument}: {wrong}", flush=True)
            continue
        for path in inside:
            codes.add(said(path))
    return next(code for code in (4, 2, 0) if code in codes)


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    try:
        sys.exit(main(sys.argv[1:]))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes once more at exit
        sys.exit(141)
