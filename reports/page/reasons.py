"""The sections of a report on why the level, or the position after the first mistake, has no solution.

One is about a part of it that already has none, the other about a sum that no action changes. Facts that are seen
at places are drawn as tinted cells. A sum over pairs of facts is a table: its kinds of pairs, with their values at
the start and in the goal, and what actions do to it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from puzzlemc.encodings.puzzle.encoded import Encoded, Place
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.engines.invariants import Invariant, invariants
from puzzlemc.mc.errors import LIMITS, Unsuitable
from puzzlemc.mc.invariants.dead import DeadStates
from puzzlemc.mc.invariants.pairs import PairKind, changes, pair_kinds, total
from puzzlemc.mc.invariants.sums import Sum, completed
from puzzlemc.mc.invariants.words import in_words
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.passes.facts import without_goal_variable
from puzzlemc.mc.tasks.task import Condition, Task
from puzzlemc.mc.verdict import Unreachable
from puzzlemc.reports.formats.drawing import svg_shapes
from puzzlemc.reports.output.plain import markdown, markdown_block, xml
from puzzlemc.reports.page.board import BOARD, view
from puzzlemc.reports.page.fact_places import places_of
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.why import Why
from puzzlemc.screens.base.picture import Picture

ENGINE = "invariants"
MOST_SUMS = 3  # of a goal with several conditions
MOST_FIGURES = 4
MOST_KINDS = 5  # of pairs
MOST_ACTIONS = 4
SHADES = 9
MOST_FORMULAS = 1 << 10  # new values by formulas: to find what is constant in more of them takes long


def shown(why: Why | None) -> dict[str, str] | None:
    """The part for a page: its words, its size, and its picture."""
    if why is None:
        return None
    shapes = why.picture.board + why.picture.pieces
    return {
        "words": _sentence(why.words),
        "scope": _sentence(f"{why.scope}; {why.evidence}"),
        "picture": view(why.picture, f"The {why.kind} that cause this", svg_shapes(shapes), shapes),
    }


def part_in_markdown(why: Why | None) -> list[str]:
    """The part as lines of Markdown."""
    if why is None:
        return []
    words = markdown(f"{_sentence(why.words)} {_sentence(f'{why.scope}; {why.evidence}')}")
    return [words, "", markdown_block(why.drawn.text), ""]


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


@dataclass(frozen=True)
class PairRow:
    """A kind of pairs: its terms with a weight, and their total at the start and in the goal, if that is known."""

    words: str
    terms: int
    start: int
    goal: int | None


@dataclass(frozen=True)
class Moved:
    """What an action at the start does to a sum: the weight of the pairs that it ends, and of those it begins."""

    name: str
    ends: int
    begins: int


@dataclass(frozen=True)
class Reason:
    """A sum that shows that the level has no solution.

    figures  pictures of the weights, as SVG, each with a caption
    pairs    the largest kinds of pairs, then what is left of the sum
    """

    words: str
    figures: Sequence[tuple[str, str]]
    pairs: Sequence[PairRow]
    moved: Sequence[Moved]
    prime: int


def reasons(entry: Entry, encoded: Encoded, result: Result, budget: Budget) -> list[Reason]:
    """The sums that show that an unsolvable level has no solution, at most MOST_SUMS; none if no sum shows that.

    A level that another engine decided is asked for sums of facts alone, and only if its actions have few
    formulas.
    """
    model = encoded.model
    if result.verdict != "unsolvable" or result.why is not None or model.hints.guide_search or not model.actions:
        return []
    if result.search.engine != ENGINE and sum(len(action.formulas) for action in model.actions) > MOST_FORMULAS:
        return []
    effort = None if result.search.engine == ENGINE else 1
    try:
        verdict = invariants(model, ANY, budget, effort=effort)
    except (Unsuitable, *LIMITS):
        return []
    if not isinstance(verdict, Unreachable) or not isinstance(verdict.invariant, Invariant):
        return []
    found = verdict.invariant
    if not found.sums:  # the exclusions alone refute the goal
        return []
    task, goals = without_goal_variable(found.made)
    draw = partial(entry.puzzle.picture, entry.level)
    places = places_of(found.made, found.sums[0].kinds, encoded, draw)
    picture = draw(entry.puzzle.rules.start(entry.level))
    return [
        _reason(found, task, goal, each, _figures(task, each, places, picture))
        for goal, each in list(zip(goals, found.sums, strict=True))[:MOST_SUMS]
    ]


def lost_by_sums(encoded: Encoded, state: State, budget: Budget) -> str:
    """Why no solution can follow from a reachable state, as a sentence; empty if no sum shows that.

    As in `auto`, models with hints for searches are not asked.
    """
    if encoded.model.hints.guide_search:
        return ""
    try:
        words = DeadStates(encoded.model).reason(state, budget)
    except (Unsuitable, *LIMITS):
        return ""
    return words and _sentence(words)


def sums_in_markdown(found: Sequence[Reason]) -> list[str]:
    """The sums as lines of Markdown."""
    lines = []
    for each in found:
        lines += [markdown(each.words), ""]
        if each.pairs:
            lines += ["| pairs | with a weight | at the start | in the goal |", "|---|---:|---:|---:|"]
            lines += [
                f"| {markdown(row.words)} | {row.terms} | {row.start} | {'' if row.goal is None else row.goal} |"
                for row in each.pairs
            ]
            lines.append("")
    return lines


def _reason(found: Invariant, task: Task, goal: Condition, each: Sum, figures: list[tuple[str, str]]) -> Reason:
    words = _sentence(in_words(task, each, goal))
    if each.degree < 2:
        return Reason(words, figures, (), (), each.prime)
    kinds = pair_kinds(task, each)
    left = completed(task, goal)
    state = tuple(left[v][0] for v in sorted(left)) if all(len(values) == 1 for values in left.values()) else None

    def row(words: str, some: Sequence[PairKind]) -> PairRow:
        start = sum(total(each, task.initial, kind) for kind in some)
        at_goal = None if state is None else sum(total(each, state, kind) for kind in some)
        return PairRow(words, sum(kind.terms for kind in some), start, at_goal)

    rows = [row(kind.words, [kind]) for kind in kinds[:MOST_KINDS]]
    if others := kinds[MOST_KINDS:]:
        rows.append(row(f"{len(others)} other kinds", others))
    rows.append(row("all", kinds))
    model = found.made.model
    moved = [
        Moved(action.name, *changes(each, task.initial, found.made.values(after)[: len(task.variables)]))
        for action, after in model.successors(initial_state(model))[:MOST_ACTIONS]
    ]
    return Reason(words, figures, rows, moved, each.prime)


def _figures(
    task: Task, found: Sum, places: Mapping[tuple[int, ...], Place], picture: Picture
) -> list[tuple[str, str]]:
    """Pictures of the weights of facts at places: one for each kind of variables with several places, and one for
    all others of a name."""
    if found.degree > 1:
        return []
    seen: dict[int, set[Place]] = {}
    for (kind, _), cell in places.items():
        seen.setdefault(kind, set()).add(cell)
    groups: dict[str, dict[Place, int]] = {}
    held: dict[str, int] = {}  # how many of them hold at the start
    for variable, kind in enumerate(found.kinds):
        for value, name in enumerate(task.variables[variable].values):
            weight, place = found.weights.get((kind, value), 0), places.get((kind, value))
            if weight and place is not None:
                first = task.variables[found.kinds.index(kind)].name
                group = first if len(seen[kind]) > 1 else name.partition("[")[0]
                groups.setdefault(group, {})[place] = weight
                held[group] = held.get(group, 0) + (task.initial[variable] == value)
    if len(groups) > MOST_FIGURES or sum(map(len, groups.values())) < len(found.weights):
        return []  # not all that counts is seen
    return [
        (f"{name}: {held[name]} at the start in tinted cells", _drawn(weights, found.prime, picture, name))
        for name, weights in groups.items()
    ]


def _drawn(weights: Mapping[Place, int], prime: int, picture: Picture, name: str) -> str:
    """The level with tinted cells; beside parities, with the weights in their corners."""
    most = max(abs(weight) for weight in weights.values())
    cells = []
    for (row, column), weight in sorted(weights.items()):
        shade = SHADES if prime == 2 else max(1, round(SHADES * abs(weight) / most))
        look = f"heat h{shade}" if weight > 0 else "heat dead"
        cells.append(f'<rect class="{look}" x="{column + 0.02:g}" y="{row + 0.02:g}" width=".96" height=".96"/>')
    texts = [
        f'<text class="weight" x="{column + 0.08:g}" y="{row + 0.3:g}">{weight}</text>'
        for (row, column), weight in sorted(weights.items())
        if prime != 2
    ]
    inside = f"{BOARD}{''.join(cells)}{svg_shapes(picture.pieces)}{''.join(texts)}"
    return view(picture, f"The cells that count for {xml(name)}", inside, picture.board + picture.pieces)
