"""Compares every deadlock rule and every heuristic with exhaustive search, on small random levels.

The levels have unusual shapes. For each level all positions are listed, reachable or not, with their true costs by
the plain rules. A deadlock rule is wrong if it calls a position dead from which the goal is reachable; a rule of
the pull side is wrong if it calls a position dead that is reachable from the start. A heuristic is wrong if it
exceeds the true cost (it is not admissible) or falls by more than the cost of a step (it is not consistent). The
table also shows how many dead positions each rule detects.

    python benchmarks/deadlocks.py --levels 20000 --seed 1

Rules of the plan finder:
    squares, freeze, matching, corrals   as the search uses them
    groups              around each box, with a small and with a large limit of search
    patterns            the patterns learned by the search, and then by `corrals` and `groups` from all positions
    pulled squares, pulled matching, pulled corrals, pulled groups, pulled patterns
                        the same rules on the pull side
    plan finder         calls the start dead if its search ends without a solution
    barriers            pushes left out; wrong if no push of the barrier is on a shortest solution
Rules of the optimal searches, for both metrics:
    singles, pairs, triples              dead patterns of one, two and three objects
    steps               pushes that the successor generator omits; counted at solvable positions
    persistent          pushes that persistent sets omit; wrong if the least cost increases
    frozen              the heuristic with frozen objects as walls; calls a position dead if it is infinite
    from start          the heuristic of the backward side pair costs          the heuristic with pair excesses, of
    the forward side; counted if it exceeds the one without pair costs back     likewise of the backward side
"""

import argparse
import random
from collections.abc import Callable
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np
from exhaustive import INFINITE as INFINITE_COST
from exhaustive import MOST_CELLS, Truth, pushes_from, truth

from puzzlemc.encodings.sokoban.board import floods
from puzzlemc.encodings.sokoban.board.floor import PULL, PUSH, Floor
from puzzlemc.encodings.sokoban.board.numbered import NumberedLevel, numbered
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, METRICS, MOVE, ahead
from puzzlemc.encodings.sokoban.domain.rules import PUSH as PUSHED
from puzzlemc.encodings.sokoban.fess.deadlocks import corrals, freeze, groups, matching, patterns, relaxation
from puzzlemc.encodings.sokoban.fess.deadlocks.relaxation import Relaxation
from puzzlemc.encodings.sokoban.fess.domain import games
from puzzlemc.encodings.sokoban.fess.features import plan
from puzzlemc.encodings.sokoban.fess.portfolio import plan_finder
from puzzlemc.encodings.sokoban.fess.search import barriers
from puzzlemc.encodings.sokoban.fess.search.sides import nearest_cells
from puzzlemc.encodings.sokoban.model.compact import compact
from puzzlemc.mc.astar import problem as rows_problem
from puzzlemc.mc.astar.problem import Side
from puzzlemc.mc.astar.search import estimates, expansion
from puzzlemc.mc.heuristics.build_tables import no_stubborn_sets
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.screens.sokoban import Cell, Level, parse

Rule = Callable[[int, Any], bool]  # of the player's cell and those of the boxes, by number
PATTERNS = ("singles", "pairs", "triples")
BY_PULLS = (
    *("pulled squares", "pulled matching", "pulled corrals", "pulled groups", "pulled patterns"),
    "from start",
)
PAIR_COSTS = ("pair costs", "pair costs back")
RULES = (
    *("squares", "freeze", "matching", "corrals", "groups", "patterns", *BY_PULLS[:-1], "plan finder", "barriers"),
    *(*PATTERNS, "steps", "persistent", "frozen", "from start", *PAIR_COSTS),
)


class Tally(NamedTuple):
    """Counts for a rule: positions called dead, errors among them, dead positions, and all judged positions."""

    called: int
    wrong: int
    dead: int
    judged: int


# Levels


def _room(choice: random.Random) -> set[Cell]:
    """A room with walls in it."""
    height, width, free = choice.randint(2, 5), choice.randint(2, 6), choice.choice([0.6, 0.8, 1])
    return {(row, column) for row in range(height) for column in range(width) if choice.random() < free}


def _grown(choice: random.Random) -> set[Cell]:
    """A random walk with restarts at random cells: with tunnels, corners and holes."""
    cell = (0, 0)
    floor, onward = {cell}, choice.random()
    for _ in range(choice.randint(6, 30)):
        if choice.random() > onward:
            cell = choice.choice(sorted(floor))
        cell = ahead(cell, choice.choice(list(DIRECTIONS.values())))
        floor.add(cell)
        if len(floor) == MOST_CELLS - 2:
            break
    return floor


def _rooms(choice: random.Random) -> set[Cell]:
    """Two or three small rooms, joined by corridors one cell wide."""
    floor: set[Cell] = set()
    last = None
    for _ in range(choice.randint(2, 3)):
        top, left = choice.randint(0, 5), choice.randint(0, 6)
        for row in range(top, top + choice.randint(1, 3)):
            floor |= {(row, left + column) for column in range(choice.choice([1, 2, 2, 3]))}
        if last is not None:
            floor |= {(row, last[1]) for row in range(min(last[0], top), max(last[0], top) + 1)}
            floor |= {(top, column) for column in range(min(last[1], left), max(last[1], left) + 1)}
        last = (top, left)
    return floor


def random_level(choice: random.Random) -> Level:
    """A level of up to MOST_CELLS cells and four boxes, some of them spare or on goals."""
    while True:
        floor = choice.choice([_room, _grown, _rooms])(choice)
        if not 5 <= len(floor) <= MOST_CELLS:
            continue
        places = choice.sample(sorted(floor), len(floor))
        boxes = choice.randint(1, 4 if len(floor) < 12 else 3)
        goals = set(choice.sample(sorted(floor), max(1, boxes - choice.choice([0, 0, 0, 0, 1, 2]))))
        at_home = choice.sample(sorted(goals), choice.choice([0, 0, 1, 2]) % (len(goals) + 1))
        standing = [*at_home, *(cell for cell in places if cell not in at_home)][:boxes]
        player = next((cell for cell in reversed(places) if cell not in standing), None)
        grid = {cell: "." if cell in goals else " " for cell in floor}
        grid |= {cell: "*" if cell in goals else "$" for cell in standing}
        if player is None:
            continue
        grid[player] = "+" if player in goals else "@"
        if choice.random() < 0.1:  # a box behind walls, which the level ignores
            grid[max(row for row, _ in floor) + 2, choice.choice(places)[1]] = "*"
        rows, columns = ([cell[axis] for cell in grid] for axis in (0, 1))
        text = "\n".join(
            "".join(grid.get((row, column), "#") for column in range(min(columns) - 1, max(columns) + 2))
            for row in range(min(rows) - 1, max(rows) + 2)
        )
        (level,) = parse(text, "random")
        if isinstance(level, Level) and plan_finder.is_suitable(level):
            return level


# Rules of the plan finder


def _searched(level: Level, board: NumberedLevel) -> tuple[bool, tuple[Relaxation, Relaxation]]:
    """Does the plan finder find a solution? And the dead patterns that it has learned, by game."""
    reports: list[Any] = []
    found = plan_finder.find_plan(level, Budget(Limits(memory=GIB // 4)), report=reports.append)
    if reports:
        return found is not None, reports[0].shared.patterns
    codes = plan_finder.random_words(len(board.near) - 1)
    return found is not None, plan_finder.patterns_of(board, codes, relaxation.KNOWN_OF_LEG)


def rules_of(board: NumberedLevel, learned: tuple[Relaxation, Relaxation]) -> dict[str, Rule]:
    """The rules as predicates of a position, for a level without spare boxes."""
    cells, count = len(board.near) - 1, len(board.boxes)
    dead_squares, pulled = (np.asarray(each.game.dead_squares) for each in learned)
    floor, marks, boxes_there = Floor(board.near), floods.Marks(cells), games.Boxes(count, cells)
    around = groups.Groups(nearest_cells(board.near))
    around.begins = 1
    matches = []
    for game, targets, sources in ((PUSH, board.goals, board.boxes), (PULL, board.boxes, board.goals)):
        made = plan.plan(board.near, game, targets, sources, 0, False, Budget())
        matches.append(matching.Matching(board.near, game, made.order, count, True))

    def placed(player: int, boxes: Any) -> int:
        """Put the boxes on the board; return the least cell that the player reaches."""
        games.lift(floor, boxes_there)
        games.set_boxes(boxes_there, boxes.tolist())
        games.put_down(floor, boxes_there)
        floods.new_stamp(marks)
        floods.flood(floor, player, marks)
        return marks.least

    def by_squares(player: int, boxes: Any) -> bool:
        return bool(dead_squares[boxes].any())

    def by_pulled_squares(player: int, boxes: Any) -> bool:
        return bool(pulled[boxes].any())

    def by_freeze(player: int, boxes: Any) -> bool:
        placed(player, boxes)
        return bool(freeze.is_frozen_off_goals(learned[PUSH].game, boxes_there))

    def by_matching(game: int) -> Rule:
        def rule(player: int, boxes: Any) -> bool:
            placed(player, boxes)
            return bool(matching.cannot_match(learned[game].game, boxes_there, matches[game]))

        return rule

    def by_corrals(game: int) -> Rule:
        def rule(player: int, boxes: Any) -> bool:
            least = placed(player, boxes)
            floods.list_regions(floor, marks)
            return bool(corrals.is_dead_corral(learned[game], floor, marks, least))

        return rule

    def by_groups(game: int) -> Rule:
        def rule(player: int, boxes: Any) -> bool:
            least, most = placed(player, boxes), (relaxation.FEW, relaxation.MANY)
            asked = around, learned[game], floor
            return any(groups.is_dead_group(*asked, box, least, some) for some in most for box in boxes.tolist())

        return rule

    def by_patterns(game: int) -> Rule:
        def rule(player: int, boxes: Any) -> bool:
            placed(player, boxes)
            known = learned[game].patterns
            return any(patterns.is_pattern(known, boxes_there, box, player) for box in boxes.tolist())

        return rule

    return {
        "squares": by_squares,
        "freeze": by_freeze,
        "matching": by_matching(PUSH),
        "corrals": by_corrals(PUSH),
        "groups": by_groups(PUSH),
        "patterns": by_patterns(PUSH),
        "pulled squares": by_pulled_squares,
        "pulled matching": by_matching(PULL),
        "pulled corrals": by_corrals(PULL),
        "pulled groups": by_groups(PULL),
        "pulled patterns": by_patterns(PULL),
    }


def judge_plan_finder(level: Level, board: NumberedLevel, true: Truth) -> dict[str, Tally]:
    """The counts of the plan finder's rules for a level."""
    cells = len(board.near) - 1
    player, boxes = true.places.T
    here = player << cells | boxes
    is_found, learned = _searched(level, board)
    start = true.number(board.player, sum(1 << box for box in board.boxes.tolist()))
    is_dead = true.left["pushes"][start] >= INFINITE_COST
    tallies = {"plan finder": Tally(int(not is_found), int(not is_found and not is_dead), int(is_dead), 1)}
    if len(board.boxes) > len(board.goals):  # the search does not use the rules then
        return tallies
    standing = [np.array([c for c in range(cells) if some >> c & 1], np.uint16) for some in boxes.tolist()]
    for name, rule in rules_of(board, learned).items():
        alive = (true.spent if name in BY_PULLS else true.left)["pushes"][here] < INFINITE_COST
        called = np.array([rule(*place) for place in zip(player.tolist(), standing, strict=True)])
        tallies[name] = Tally(int(called.sum()), int((called & alive).sum()), int((~alive).sum()), len(here))
    tallies["barriers"] = judge_barriers(board, true, learned[PUSH].game)
    return tallies


def judge_barriers(board: NumberedLevel, true: Truth, game: games.Game) -> Tally:
    """The counts of pushes that barriers leave out at solvable positions."""
    cells, count = len(board.near) - 1, len(board.boxes)
    floor, marks, there = Floor(board.near), floods.Marks(cells), games.Boxes(count, cells)
    made, left, mark = barriers.Barriers(board.near), true.left["pushes"], np.asarray(marks.seen)
    omitted = wrong = of = 0
    for player, boxes in true.places.tolist():
        least = left[true.number(player, boxes)]
        if not 0 < least < INFINITE_COST:
            continue
        places = [cell for cell in range(cells) if boxes >> cell & 1]
        games.lift(floor, there)
        games.set_boxes(there, places)
        games.put_down(floor, there)
        floods.new_stamp(marks)
        floods.flood(floor, player, marks)
        floods.list_regions(floor, marks)
        has_barrier = barriers.find_barrier(made, game, floor, there, marks, player) != barriers.NO_BARRIER
        kept = []
        for box, d in product(places, range(4)):
            stand, target = int(true.near[box, d ^ 2]), int(true.near[box, d])
            if mark[stand] != marks.reached or target == cells or boxes >> target & 1:
                continue
            of += 1
            if has_barrier and not made.best[box]:
                omitted += 1
            else:
                kept.append(left[true.number(box, boxes ^ 1 << box ^ 1 << target)])
        wrong += has_barrier and min(kept, default=INFINITE_COST) != least - 1
    return Tally(omitted, wrong, 0, of)


# Rules of the optimal searches


def _follow(side: Side, rows: Any) -> tuple[Any, Any, Any]:
    """All successors of the packed states, the numbers of their parents, and their costs."""
    after, price = zip(*(expansion(side, row) for row in rows), strict=True)
    parent = np.repeat(np.arange(len(rows)), [len(some) for some in after])
    return np.concatenate(after), parent, np.concatenate(price)


def judge_optimal(level: Level, board: NumberedLevel, true: Truth, metric: str) -> dict[str, Tally]:
    """The counts of the optimal searches' rules for a level."""
    cells = len(board.near) - 1
    model = compact(level).model
    prices = [(PUSHED if action.name[0].isupper() else MOVE)[metric] for action in model.actions]
    made = rows_problem.prepare(model, prices, Budget(), patterns=len(PATTERNS))
    layout, location = made.layout, model.hints.location
    assert location is not None
    assert layout.words == 1
    number = {cell: place for place, cell in enumerate(board.cells)}
    code, cell_of = np.zeros(cells, np.uint64), np.zeros(layout.key + 1, np.int64)
    for value, player_code in zip(location.values, layout.codes, strict=True):
        code[number[value]], cell_of[player_code] = player_code, number[value]
    bit = {number[cell]: layout.place(b) for b, cell in model.hints.objects.items()}
    # If walking is free, one position represents all between which the player can walk.
    player, boxes = true.places.T
    if metric == "moves":
        player, boxes = np.divmod(np.arange(cells << cells), 1 << cells)
        whole = np.isin(boxes, true.places[:, 1]) & (boxes >> player & 1 == 0)
        player, boxes = player[whole], boxes[whole]
    possible = boxes & ~sum(1 << cell for cell in bit) == 0
    player, boxes = player[possible], boxes[possible]
    rows = code[player]
    for cell, place in bit.items():
        rows |= (boxes >> cell & 1).astype(np.uint64) << np.uint64(place)
    rows = rows[:, None]
    here = player << cells | boxes
    left, spent = true.left[metric], true.spent[metric]
    alive, reached = left[here] < INFINITE_COST, spent[here] < INFINITE_COST
    dead = int((~alive).sum())

    tallies = {}
    for keep, living in made.dead._alive.items():
        columns = {number[model.hints.objects[b]]: at for b, at in made.dead._at.items()}
        held = np.array([[columns[c] for c in range(cells) if some >> c & 1] for some in boxes.tolist()], np.int64)
        held = -np.sort(-held)  # the patterns have their objects in falling order
        called = np.zeros(len(rows), np.bool_)
        for some in combinations(range(held.shape[1] if held.size else 0), keep):
            called |= ~living[(code[player].astype(np.int64), *(held[:, at] for at in some))]
        tallies[PATTERNS[keep - 1]] = Tally(int(called.sum()), int((called & alive).sum()), dead, len(rows))

    forward = made.forward
    plain = Side(forward.tables, forward.frozen, no_stubborn_sets(layout), forward.pairs, forward.space)

    def followed(side: Side) -> tuple[Any, ...]:
        """All successors as packed states, the numbers of their parents, their costs, and their numbers."""
        after, parent, price = _follow(side, rows)
        then = cell_of[(after[:, 0] & np.uint64(layout.key)).astype(np.int64)] << cells
        for cell, place in bit.items():
            then |= (after[:, 0] >> np.uint64(place) & np.uint64(1)).astype(np.int64) << cell
        return after, parent, price, then

    after, parent, price, then = followed(plain)
    pushes, useful = pushes_from(true.near, left, player, boxes)
    found = np.bincount(parent, minlength=len(rows))
    kept = np.bincount(parent[left[then] < INFINITE_COST], minlength=len(rows))
    omitted, missing = (pushes - found)[alive], (useful - kept)[alive]
    lost, of = int((pushes - useful)[alive].sum()), int(pushes[alive].sum())
    tallies["steps"] = Tally(int(omitted.sum()), int(np.abs(missing).sum()), lost, of)

    if forward.uses_stubborn_sets:
        _, some, cost, there = followed(forward)
        least = np.where(left[here] == 0, 0, INFINITE_COST)
        np.minimum.at(least, some, cost + left[there])
        fewer = found - np.bincount(some, minlength=len(rows))
        wrong = int((least != left[here])[alive].sum())
        tallies["persistent"] = Tally(int(fewer[alive].sum()), wrong, 0, int(found[alive].sum()))

    bounds, follow = estimates(forward, rows, with_pairs=False), estimates(forward, after, with_pairs=False)
    hopeless, above = bounds >= INFINITE, (bounds > left[here]) & alive
    falls = ~hopeless[parent] & (follow < INFINITE) & (bounds[parent] > price + follow)
    tallies["frozen"] = Tally(int(hopeless.sum()), int(above.sum() + falls.sum()), dead, len(rows))
    if made.backward is not None:
        bounds = estimates(made.backward, rows, with_pairs=False)
        # The backward side never enters dead positions, so its heuristic need not be right there.
        called, wrong = bounds >= INFINITE, (bounds > spent[here]) & reached & alive
        tallies["from start"] = Tally(
            int(called.sum()), int(wrong.sum()), int((~(reached & alive)).sum()), len(rows)
        )
    sides = zip(PAIR_COSTS, made.sides, (left[here], spent[here]), strict=False)
    for name, side, least in sides:
        if not side.pairs.at.shape[0]:
            continue
        bounds, several = (estimates(side, rows, with_pairs=with_pairs) for with_pairs in (False, True))
        wrong = (several > least) & (least < INFINITE_COST) & alive | (several < bounds)
        tallies[name] = Tally(int((several > bounds).sum()), int(wrong.sum()), dead, len(rows))
    return tallies


def known(level: Level) -> tuple[Level, NumberedLevel, Truth]:
    """A level with its board and the true costs of its positions."""
    board = numbered(level)
    return level, board, truth(board.near, board.boxes, board.goals, board.player)


def judge(level: Level, board: NumberedLevel, true: Truth) -> dict[str, Tally]:
    """The counts of all rules for a level."""
    sums = judge_plan_finder(level, board, true)
    for metric in METRICS:
        for name, tally in judge_optimal(level, board, true, metric).items():
            sums[name] = Tally(*map(sum, zip(sums.get(name, (0, 0, 0, 0)), tally, strict=True)))
    return sums


def main() -> int:
    """Print a row for each rule; return 1 if one of them was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    choice = random.Random(arguments.seed)
    sums = {name: np.zeros(len(Tally._fields), np.int64) for name in RULES}
    for _ in range(arguments.levels):
        level = random_level(choice)
        for name, tally in judge(*known(level)).items():
            sums[name] += tally
            if tally.wrong:
                print(f"wrong: {name}", *level.rows, sep="\n")
    print(f"{arguments.levels} levels")
    print(f"{'rule':15} {'called dead':>12} {'wrong':>6} {'of dead':>12} {'judged':>12}")
    for name, (called, wrong, dead, judged) in sums.items():
        print(f"{name:15} {called:12} {wrong:6} {dead:12} {judged:12}")
    return int(any(wrong for _, wrong, *_ in sums.values()))


if __name__ == "__main__":
    raise SystemExit(main())
