"""Why a level has no layout: a minimal unsatisfiable core of its rules, in words.

The clauses form groups: one for each place where items come in or go out, for each recipe that has to be used, for
the ingredients and the product of each recipe, and for each other rule. An assumption literal enables a group. The
search for a minimal core (`mc/sat/cores.py`) removes groups one at a time, and starts each step from the core that
the solver returns (Marques-Silva 2010). The same search then removes cells: the clauses about cells that the
contradiction does not need.
"""

from collections.abc import Callable, Collection, Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from puzzlemc.encodings.factorio.model.clauses import Tag
from puzzlemc.encodings.factorio.model.constraint import Plan, plan
from puzzlemc.encodings.factorio.model.planar import crossing
from puzzlemc.encodings.factorio.planner.encodings import can_work, has_layout, must_cross
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.sat.cores import Answer, Core, MinimalCoreSearch
from puzzlemc.mc.sat.solvers import Cadical
from puzzlemc.screens.factorio import DIRECTIONS, Cell, Level, Port, place_name

Group = tuple[str, Cell | str]

# In the order of removal: the rules that explain most are removed last, so that they stay.
WORDS = {
    "redundant inserter": "no inserter stands between two belts in one line",
    "recipe ratio": "rates fit the recipes, belts carry at most 450 and inserters move at most 50 in a minute",
    "backward consistency": "a route starts where an item comes in or is made",
    "forward increment": "routes have no cycles",
    "item carry": "each belt and each inserter carries one item, and passes it on",
    "inserter input": "an inserter takes from a belt or an assembler behind it",
    "inserter output": "an inserter gives to a belt or an assembler ahead of it",
    "conveyor output": "a belt gives to a belt, or to an inserter of the same direction",
    "conveyor input": "a belt gets something, from another side than the one that it points to",
    "link assembler collision": "an assembler takes 3 × 3 cells in the grid",
    "set collision": "at most one thing stands on a cell",
}
RULES = tuple(WORDS)
OUTPUT, INPUT, TAKES, GIVES, USED = "goes out", "comes in", "takes", "gives", "used"


@dataclass(frozen=True)
class Reason:
    """Why there is no layout.

    groups   the groups of the core
    cells    the cells of the core
    words    the core as sentences
    minimal  whether every group and every cell is proved to be needed; false if a limit ended the search
    """

    groups: tuple[Group, ...]
    cells: frozenset[Cell]
    words: tuple[str, ...]
    minimal: bool

    def __str__(self) -> str:
        return "; ".join(self.words)


def why(level: Level, budget: Budget) -> Reason | None:
    """The reason why a level has no layout; None if it has one.

    Raises LimitReached if a limit comes before the first core.
    """
    if must_cross(level):
        return Reason((), frozenset(crossing(level) or ()), tuple(_crossing(level)), True)
    constraints = plan(level)
    if has_layout(constraints, budget):
        return None
    group = _grouping(level)
    core = _minimal(constraints, group, lambda _: True, budget)
    kept = frozenset(core.objects)
    groups = sorted((each for each in kept if isinstance(each, tuple)), key=_order)
    about: Collection[Hashable] = ()
    is_minimal = False
    if core.minimal:
        with suppress(LimitReached):
            by_cell = _minimal(constraints, lambda tag: tag.cell, lambda tag: group(tag) in kept, budget)
            about, is_minimal = by_cell.objects, by_cell.minimal
    cells = frozenset(each for each in about if isinstance(each, tuple))
    words = [*_crossing(level), *_words(level, groups, cells)]
    return Reason(tuple(groups), cells, tuple(words), is_minimal)


def _grouping(level: Level) -> Callable[[Tag], Group]:
    """The function from the tag of a clause to its group."""
    inputs, outputs = {port.cell for port in level.inputs}, {port.cell for port in level.outputs}

    def group(tag: Tag) -> Group:
        if tag.cell is not None:
            if tag.rule == "item input" or (tag.rule == "conveyor input" and tag.cell in inputs):
                return INPUT, tag.cell
            if tag.rule == "item output" or (tag.rule == "conveyor output" and tag.cell in outputs):
                return OUTPUT, tag.cell
        kind = {"recipes": USED, "assembler input": TAKES, "assembler output": GIVES}.get(tag.rule)
        return (kind, tag.about) if kind is not None else (tag.rule, "")

    return group


def _order(group: Group) -> tuple[int, str]:
    """The order of groups in sentences: facts about the level first, then rules."""
    kind, about = group
    kinds = (USED, INPUT, OUTPUT, TAKES, GIVES, *reversed(RULES))
    return kinds.index(kind), str(about)


def _minimal(
    constraints: Plan, part: Callable[[Tag], Hashable], is_used: Callable[[Tag], bool], budget: Budget
) -> Core[Hashable]:
    """A minimal set of parts whose clauses contradict each other; only clauses that are used count.

    Raises LimitReached before the first contradiction is found.
    """
    cnf = constraints.cnf
    solver, switch = Cadical(budget), dict[Hashable, int]()
    top = cnf.top
    for row, tag in zip(cnf.rows, cnf.tags, strict=True):
        if is_used(tag):
            name = part(tag)
            if name not in switch:
                top += 1
                switch[name] = top
            solver.add([(*row, -switch[name])])
    named = {literal: name for name, literal in switch.items()}

    def ask(parts: frozenset[Hashable], _: Budget) -> Answer[Hashable]:
        if solver.solve(sorted(switch[name] for name in parts)):
            return Answer(True, parts)
        return Answer(False, frozenset(named[literal] for literal in solver.core()))

    whole = ask(frozenset(switch), budget)
    if whole.feasible:
        raise AssertionError("the clauses of a level without a layout have a solution")
    return MinimalCoreSearch(sorted(whole.witness, key=_order_of_removal), ask).minimal(budget)


def _order_of_removal(name: Hashable) -> tuple[int, str]:
    """Parts are removed in this order: rules in the order of RULES, then all others."""
    rule = name[0] if isinstance(name, tuple) else None
    return (RULES.index(rule) if rule in RULES else len(RULES)), str(name)


def _words(level: Level, groups: Iterable[Group], cells: frozenset[Cell]) -> list[str]:
    """A sentence for each group."""
    ports = {port.cell: port for port in (*level.inputs, *level.outputs)}
    groups = list(groups)
    used = [about for kind, about in groups if kind == USED]
    kinds = {kind for kind, _ in groups}
    words = []
    if kinds == {"recipe ratio"} and not can_work(level):
        names = " and ".join(recipe.name for recipe in level.recipes)
        return [f"{names} cannot all be made: more of some item is needed than comes in and is made"]
    room = kinds <= {USED, INPUT, OUTPUT, "set collision", "link assembler collision"}
    if used and room:
        one = f"an assembler of {used[0]}" if len(used) == 1 else f"assemblers of {' and '.join(map(str, used))}"
        words.append(f"no room for {one}: each takes 3 × 3 cells, none of them one where items come in or go out")
    else:
        words += [f"an assembler of {name} is needed" for name in used]
    for kind, about in groups:
        if kind == INPUT and isinstance(about, tuple):
            words.append(f"{ports[about].item} comes in at {place_name(about)}")
        elif kind == OUTPUT and isinstance(about, tuple):
            words.append(_reached(level, ports[about]))
        elif kind == TAKES:
            words.append(f"{about} needs {' and '.join(item for item, _ in level.recipe(str(about)).takes)}")
        elif kind == GIVES:
            words.append(f"{about} gives {level.recipe(str(about)).gives[0]}, and something must take it")
        elif kind in WORDS and not (used and room):
            words.append(WORDS[kind])
    if cells and len(cells) < level.width * level.height:
        words.append(f"all that on {_area(cells)} alone")
    return words


def _crossing(level: Level) -> list[str]:
    """A sentence about two routes that must cross, if there are such."""
    found = crossing(level)
    if found is None:
        return []
    item = {port.cell: port.item for port in (*level.inputs, *level.outputs)}
    one, other = (f"{item[cell]} at {place_name(cell)}" for cell in found)
    return [f"the ways of {one} and of {other} begin and end crosswise on the border, and belts cannot cross"]


def _reached(level: Level, port: Port) -> str:
    """A sentence about the cells through which an item reaches its output: neighbours that are no outputs."""
    outputs = {port.cell for port in level.outputs}
    beside = [level.ahead(port.cell, word) for word in DIRECTIONS]
    free = [cell for cell in beside if cell is not None and cell not in outputs]
    through = " or ".join(map(place_name, free)) or "no cell at all"
    return f"{port.item} goes out at {place_name(port.cell)}, which can only be reached through {through}"


def _area(cells: Iterable[Cell]) -> str:
    """A set of cells, row by row, with intervals of columns: `row 1 columns 1-5, 7`."""
    rows: dict[int, list[int]] = {}
    for row, column in sorted(cells):
        rows.setdefault(row + 1, []).append(column + 1)
    shown_rows = []
    for row, columns in rows.items():
        runs: list[list[int]] = []
        for column in columns:
            if runs and runs[-1][1] == column - 1:
                runs[-1][1] = column
            else:
                runs.append([column, column])
        shown = ", ".join(str(one) if one == other else f"{one}-{other}" for one, other in runs)
        shown_rows.append(f"row {row} columns {shown}")
    return ", ".join(shown_rows)
