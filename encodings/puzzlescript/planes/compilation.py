"""A level as arrays: its planes, the rules that can apply, and the order in which they do."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_, or_
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.puzzlescript.domain.position import Cells, moves
from puzzlemc.encodings.puzzlescript.patterns.analysis import activity, changing, cone_of_influence, restricted
from puzzlemc.encodings.puzzlescript.patterns.arrays import Lists, as_words, ints, sets_of, starts, turned
from puzzlemc.encodings.puzzlescript.patterns.rules import MOVEMENTS, Names, Part, Plane, Rule, groups, patterns
from puzzlemc.encodings.puzzlescript.planes.goal import ANY, EVERY, NONE
from puzzlemc.encodings.puzzlescript.planes.independence import at_once, feeds, known, places
from puzzlemc.encodings.puzzlescript.planes.tables import (
    AGAIN,
    CANCEL,
    CHECKPOINT,
    DRAWS,
    MESSAGE,
    ONE_MATCH,
    RESTART,
    SURE,
    WIN,
    Board,
)
from puzzlemc.encodings.puzzlescript.planes.turns import TICK, Turns
from puzzlemc.screens.puzzlescript.game import DIRECTIONS, Level, Win

COMMANDS = {
    "cancel": CANCEL,
    "restart": RESTART,
    "win": WIN,
    "again": AGAIN,
    "checkpoint": CHECKPOINT,
    "message": MESSAGE,
}
QUANTIFIERS = {"all": EVERY, "some": ANY, "no": NONE}

Arrays = Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Contents:
    """The objects of a level: the cells of each at the start, as the bits of a number, and which of them change.

    objects   those that can change, in the order of their planes
    constant  those that never change, with their cells
    """

    objects: tuple[str, ...]
    constant: Mapping[str, int]


class Relevant(NamedTuple):
    """What matters for winning: layers, numbers of rules, and the win conditions; nothing if nothing can win."""

    layers: frozenset[int]
    rules: frozenset[int]
    wins: tuple[Win, ...]


class Compilation:
    """The arrays of a level.

    level     the level
    rules     the rules of its game
    contents  its objects
    possible  the planes that some cell can have at some time
    active    the numbers of the rules that can apply, for each movement, and without one
    wins      its win conditions
    restart_wins   whether a restart wins; known once its turns can be taken
    """

    def __init__(
        self, level: Level, relevant: "Relevant | None" = None, moved: frozenset[str] = frozenset()
    ) -> None:
        """Analyse the level, until no further rule turns out to have no match. Leave out what is not relevant.

        Objects that are `moved` are elsewhere in other levels that are compiled with this one: they may change.
        """
        game = level.game
        self.restart_wins = False
        self.level, self.names, self.rules, self.wins = level, Names(game), patterns(game), game.wins
        self.start: dict[str, int] = {}
        for cell, here in enumerate(level.cells):
            for name in here:
                self.start[name] = self.start.get(name, 0) | 1 << cell
        self.whole = (1 << len(level.cells)) - 1
        candidates = set(range(len(self.rules)))
        if relevant is not None:
            candidates, self.wins = set(relevant.rules), relevant.wins
            self.rules = tuple(restricted(rule, self.names, relevant.layers) for rule in self.rules)
            self.start = {
                name: cells for name, cells in self.start.items() if self.names.layer[name] in relevant.layers
            }
        while True:
            found = activity(game, self.rules, sorted(candidates), self.start, (*MOVEMENTS, ""))
            self.possible, self.active = found
            used = set[int]().union(*self.active)
            changes = changing(game, [self.rules[number] for number in used], self.possible)
            changes |= moved & self.start.keys()
            self.contents = Contents(
                tuple(name for name in game.objects if name in changes),
                {name: cells for name, cells in self.start.items() if name not in changes},
            )
            # What no rule brings in the end is nowhere, though the relaxation may hold that a rule sets it.
            self.possible -= set(game.objects) - changes - self.start.keys()
            matched = {
                number
                for number in used
                if all(self.fits(self.rules[number], part) for row in self.rules[number].rows for part in row)
            }
            if matched == candidates:
                break
            candidates = matched

    def relevant(self) -> "Relevant | None":
        """What matters for winning. None if everything may matter."""
        if not self.can_win:
            return Relevant(frozenset(), frozenset(), ())
        cone = cone_of_influence(self.level.game, self.rules, self.used, self.possible, bool(self.drawing))
        return None if cone is None else Relevant(*cone, self.wins)

    @cached_property
    def can_win(self) -> bool:
        """May a rule win, or may all win conditions hold at a time?"""
        if self.wins_without_conditions:
            return True
        return bool(self.wins) and not self.never

    @property
    def wins_without_conditions(self) -> bool:
        """May a turn win though the win conditions do not hold after it: by a command `win`, or by a restart?"""
        return self.restart_wins or any("win" in self.rules[number].commands for number in self.used)

    @cached_property
    def never(self) -> tuple[Win, ...]:
        """The win conditions that never hold: a bound by what never changes."""
        found = []
        for win in self.wins:
            sure, may = self.side(win.subject, win.subject_all)
            on_sure, on_may = self.side(win.on, win.on_all)
            wrong = {"all": sure & ~on_may, "some": not may & on_may, "no": sure & on_sure}
            if wrong[win.quantifier]:
                found.append(win)
        return tuple(found)

    def side(self, objects: frozenset[str] | None, whole: bool) -> tuple[int, int]:
        """The cells that always have a side of a win condition, and those that can have it."""
        if objects is None:
            return self.whole, self.whole
        always = [self.contents.constant.get(name, 0) for name in objects]
        at_times = [
            fixed if name not in self.contents.objects else self.whole
            for name, fixed in zip(objects, always, strict=True)
        ]
        combined = and_ if whole else or_
        start = self.whole if whole else 0
        return reduce(combined, always, start), reduce(combined, at_times, start)

    def fits(self, rule: Rule, part: Part) -> int:
        """The first cells from which a part fits the board and what is constant, as the bits of a number."""
        width, height = self.level.width, self.level.height
        way, ahead = DIRECTIONS.index(rule.direction), len(part) - 1
        rows, columns = range(height), range(width)
        rows = (rows[ahead:], rows[: max(0, height - ahead)], rows, rows)[way]
        columns = (columns, columns, columns[ahead:], columns[: max(0, width - ahead)])[way]
        line = sum(1 << column for column in columns)
        cells = sum(line << row * width for row in rows)
        for number, cell in enumerate(part):
            for term in cell.terms:
                possible = term.planes & self.possible
                fixed = [plane for plane in possible if plane in self.contents.constant]
                if term.holds and len(fixed) < len(possible):
                    continue
                known = 0
                for plane in fixed:
                    known |= self.contents.constant[plane]  # type: ignore[index]
                shift = number * self.step(rule)
                known = known if term.holds else self.whole & ~known
                cells &= known >> shift if shift >= 0 else known << -shift
        return cells

    def step(self, rule: Rule) -> int:
        """The difference between the numbers of a cell of a part and of the next one."""
        return (-self.level.width, self.level.width, -1, 1)[DIRECTIONS.index(rule.direction)]

    @property
    def words(self) -> int:
        """The words of a plane."""
        return -(-len(self.level.cells) // 64)

    @cached_property
    def layers(self) -> tuple[int, ...]:
        """The layers that can have a movement."""
        players = {self.names.layer[name] for name in self.level.game.players & self.possible}
        return tuple(sorted({plane[0] for plane in self.possible if isinstance(plane, tuple)} | players))

    @cached_property
    def numbers(self) -> Mapping[Plane, int]:
        """The numbers of the planes: objects that change, movements, constant objects."""
        movements: list[Plane] = [(layer, movement) for layer in self.layers for movement in MOVEMENTS]
        return {plane: n for n, plane in enumerate([*self.contents.objects, *movements, *self.contents.constant])}

    def planes(self, cells: Cells) -> list[int]:
        """The planes of the objects that change, as the bits of numbers."""
        found = dict.fromkeys(self.contents.objects, 0)
        for cell, here in enumerate(cells):
            for name in found.keys() & here:
                found[name] |= 1 << cell
        return list(found.values())

    def turns(self) -> Turns:
        """The compiled turns of the level."""
        game, words = self.level.game, self.words
        constant = np.zeros((len(self.numbers) + 1, words), np.uint64)
        for name, cells in self.contents.constant.items():
            constant[self.numbers[name]] = as_words(cells, words)
        filled = sets_of([{self.numbers[name] for name in self.contents.constant}], len(self.numbers))[0]
        members = [
            [self.numbers[name] for name in self.contents.objects if self.names.layer[name] == layer]
            for layer in self.layers
        ]
        blocked = np.zeros((len(self.layers), words), np.uint64)
        for name, cells in self.contents.constant.items():
            if self.names.layer[name] in self.layers:
                blocked[self.layers.index(self.names.layer[name])] |= as_words(cells, words)
        lists = Lists()
        rules, slots = self._rules(lists)
        rigid, members_of_groups = self._program(lists)
        goal = self._goal(lists)
        players = sorted(game.players & set(self.contents.objects))
        if game.players_all and len(players) < len(game.players):
            players = []
        arrays: dict[str, npt.NDArray[Any]] = {
            "constant": constant,
            "filled": filled,
            "first_object": starts(members),
            "layer_planes": ints(number for each in members for number in each),
            "blocked": blocked,
            "player_planes": ints(self.numbers[name] for name in players),
            "player_layers": ints(self.layers.index(self.names.layer[name]) for name in players),
            "movements": ints(MOVEMENTS.index(name) if name in MOVEMENTS else TICK for name in moves(game)),
            "idle": np.array([self.is_idle(movement) for movement in range(len(self.active))], np.uint8),
            **lists.arrays(),
            "members": sets_of(members_of_groups, len(self.used)),
            **rules,
            **goal,
        }
        sizes = {"kinds": len(self.contents.objects), "slots": slots, "rigid": rigid}
        flags = {
            "players_whole": game.players_all,
            "needs_movement": game.require_player_movement,
            "has_rigid": rigid > 0,
            "goes_back": {"checkpoint", "restart"}
            <= {command for rule in self.rules for command in rule.commands},
        }
        board = Board(self.level.width, self.level.height, sizes, arrays)
        return Turns(board, flags, arrays)

    def is_idle(self, movement: int) -> bool:
        """Does a round with this movement change nothing and queue nothing?"""
        return not self.active[movement] and (movement >= MOVEMENTS.index("action") or not self.level.game.players)

    @cached_property
    def drawing(self) -> Sequence[int]:
        """The lines of the rules that can apply, and draw."""
        return sorted({self.rules[number].line for number in self.used if self.rules[number].draws})

    @cached_property
    def used(self) -> list[int]:
        """The numbers of the rules that can apply."""
        return sorted(set[int]().union(*self.active))

    @cached_property
    def _rigid(self) -> Mapping[int, int]:
        """The number of each rule's group: those with a rigid rule are numbered from 1, others have 0."""
        found = dict[int, int]()
        for late in (False, True):
            count = 0
            for members in groups(self.rules, late):
                rigid = any(self.rules[number].rigid for number in members)
                count += rigid
                found |= dict.fromkeys(members, count if rigid else 0)
        return found

    def _rules(self, t: Lists) -> tuple[Arrays, int]:
        """List the rules. Returns the other arrays of `Rules`, and the most parts of a rule."""
        needs, touches, fitting, slots = list[set[int]](), list[set[int]](), [], 1
        for number in self.used:
            rule = self.rules[number]
            cells = places(rule, self.names, self.possible)
            changes = {cell.at: cell.changes for cell in cells}
            need, touch = set[int](), set[int]()
            rigid = self._rigid[number] if rule.rigid else 0
            once = at_once(cells)
            t.add("commands", sum(COMMANDS.get(each, 0) for each in rule.commands))
            t.add("replaces", bool(rigid and rule.replaces) or any(changes.values()))
            t.add("draws", rule.draws)
            t.add("variant", rule.variant)
            t.add("lines", rule.line)
            t.add("at_once", once)
            t.add("feeds", not once or feeds(cells, cells))
            t.add("rigid", rigid)
            t.begin("rows")
            slots = max(slots, sum(map(len, rule.rows)))
            step = self.step(rule)
            for r, row in enumerate(rule.rows):
                t.begin("parts")
                t.add("way", DIRECTIONS.index(rule.direction))
                for p, part in enumerate(row):
                    t.begin("terms")
                    t.begin("changes")
                    t.begin("marks")
                    t.begin("drawn")
                    fitting.append(as_words(self.fits(rule, part), self.words))
                    t.add("length", len(part))
                    for c, cell in enumerate(part):
                        if cell.drawn and not rule.variant:
                            self._choices(t, cell.drawn, c * step)
                        for plane, comes in changes[r, p, c].items() if not cell.drawn else ():
                            t.add("change_shift", c * step)
                            t.add("change_plane", self.numbers[plane])
                            t.add("change_sets", comes)
                        touch.update(self.numbers[plane] for plane in changes[r, p, c])
                        if rigid:
                            t.begin("mark_layers")
                            t.add("mark_shift", c * step)
                            for layer in cell.marks:
                                if layer in self.layers:
                                    t.add("layers", self.layers.index(layer))
                    for c, planes, holds in self._terms(part):
                        numbers = sorted(self.numbers[plane] for plane in planes)
                        t.begin("term_planes")
                        t.add("term_shift", c * step)
                        t.add("term_holds", holds)
                        for each in numbers:
                            t.add("planes", each)
                        touch.update(numbers)
                        if holds and len(numbers) == 1:
                            need.update(numbers)
            needs.append(need)
            touches.append(touch)
        return {
            "starts": np.array(fitting, np.uint64).reshape(-1, self.words),
            "needs": sets_of(needs, len(self.numbers)),
            "needed_by": sets_of(turned(needs, len(self.numbers)), len(needs)),
            "touched_by": sets_of(turned(touches, len(self.numbers)), len(needs)),
        }, slots

    def _choices(self, t: Lists, drawn: Iterable[Mapping[Plane, bool]], shift: int) -> None:
        """List the changes of which one is drawn for a cell of a part."""
        t.begin("choices")
        t.add("drawn_shift", shift)
        for changes in drawn:
            t.begin("choice_changes")
            for plane, comes in changes.items():
                assert plane in self.possible or not comes
                if plane in self.possible:
                    t.add("drawn_plane", self.numbers[plane])
                    t.add("drawn_sets", comes)

    def _terms(self, part: Part) -> list[tuple[int, Sequence[Plane], bool]]:
        """The terms of a part that do not depend on constant objects alone, with their cells; rare ones first."""
        found = []
        for c, cell in enumerate(part):
            implied = known(
                cell._replace(terms=tuple(t for t in cell.terms if t.holds)), self.names, self.possible
            )
            for planes, holds in cell.terms:
                alive = sorted(planes & self.possible, key=str)
                if all(plane in self.contents.constant for plane in alive):
                    continue
                if holds:
                    found.append((c, alive, True))
                else:
                    others = [p for p in alive if p not in implied.lacks and p not in self.contents.constant]
                    found += [(c, [plane], False) for plane in others]
        return sorted(found, key=lambda term: (not term[2], isinstance(term[1][0], str), len(term[1]), term[0]))

    def _program(self, t: Lists) -> tuple[int, list[set[int]]]:
        """List the groups of each phase. Returns the number of rigid groups, and the rules of each group."""
        members_of_groups = list[set[int]]()
        index = {number: n for n, number in enumerate(self.used)}
        game = self.level.game
        for active in map(set, self.active):
            for late, loops in ((False, game.loops), (True, game.late_loops)):
                firsts = {last: first for first, last in loops}
                t.begin("phases")
                places = list[int]()  # the number in the program of each group, or of the next one that is there
                for n, members in enumerate(groups(self.rules, late)):
                    places.append(t.count("back"))
                    here = [number for number in members if number in active]
                    if not here and n not in firsts:
                        continue
                    t.begin("groups")
                    members_of_groups.append({index[number] for number in here})
                    for number in here:
                        t.add("order", index[number])
                    t.add("group_rigid", 0 if late else self._rigid[members[0]])
                    t.add("back", places[firsts[n]] if n in firsts else -1)
                    drawing = [self.rules[number] for number in here if self.rules[number].draws]
                    is_one = any(rule.random for rule in drawing)
                    t.add("chance", ONE_MATCH if is_one else DRAWS if drawing else SURE)
        return max([0, *self._rigid.values()]), members_of_groups

    def _goal(self, t: Lists) -> Arrays:
        """List the win conditions. Returns the other array of `Goal`."""
        constant = []
        for win in self.wins:
            t.add("quantifiers", QUANTIFIERS.get(win.quantifier, NONE))
            for objects, whole in ((win.subject, win.subject_all), (win.on, win.on_all)):
                t.begin("sides")
                cells = self.whole if whole or objects is None else 0
                for name in sorted(objects or ()):
                    fixed = 0 if name not in self.possible else self.contents.constant.get(name)
                    if fixed is None:
                        t.add("side_planes", self.numbers[name])
                    else:
                        cells = cells & fixed if whole else cells | fixed
                t.add("whole", whole)
                constant.append(as_words(cells, self.words))
        return {"side_constant": np.array(constant, np.uint64).reshape(-1, self.words)}
