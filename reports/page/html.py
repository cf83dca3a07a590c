"""A report as one HTML file without external resources.

The template has the sentences and the style, `replay.js` the replay. This module computes their data. The replay
knows no puzzle: its data are the shapes of all pictures, and the shapes of each step (see `drawing.Film`).
"""

import os
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import accumulate, pairwise
from pathlib import PurePath
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import Entry, colours
from puzzlemc.reports.formats.drawing import css_class, film
from puzzlemc.reports.formats.traces import Played
from puzzlemc.reports.output import look
from puzzlemc.reports.output.plain import plain_lines
from puzzlemc.reports.output.words import counted, number, share, singular
from puzzlemc.reports.page import plots
from puzzlemc.reports.page.board import arrow, board, fitted, ringed, stage, still, storyboard
from puzzlemc.reports.page.graph_picture import graph_picture
from puzzlemc.reports.page.heat import heat_maps, how_many
from puzzlemc.reports.page.measured import shown_measures
from puzzlemc.reports.page.reasons import shown
from puzzlemc.reports.page.report import (
    Report,
    between,
    engine_facts,
    facts,
    facts_by_metric,
    headline,
    metrics,
    paid_steps,
    proof,
    scope,
    states_title,
    written,
)
from puzzlemc.reports.page.terms import Terms
from puzzlemc.reports.solve.options import CHANCES, LUCKY
from puzzlemc.reports.solve.result import PLAYING_ON, Result
from puzzlemc.screens.base.picture import Picture

LONG_TITLE = 50  # characters; a longer title is written smaller
LONG = 300  # characters; a longer text of moves is cut after some lines, until the reader asks for all of it
PATH = re.compile(r'<path (?P<rest>(?:fill="#[0-9a-f]{6}"|class="c-[^"]*") d="[^"]{40,}"/>)')


def html(report: Report) -> str:
    """The page."""
    return page("report.html.jinja", _content(report))


def page(template: str, content: Mapping[str, Any]) -> str:
    """The page of a template of this folder, which extends `page.html.jinja`."""
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_plain,
        loader=FunctionLoader(_template),
    )
    terms = Terms()
    environment.filters |= {"number": number, "markup": Markup, "moves": written, "explained": terms.explained}
    environment.globals |= {"terms": terms, "look": look.sheet(), "icon": look.icon()}
    return shared(environment.get_template(template).render(content))


def shared(page: str) -> str:
    """The page with one element for equal paths that fill areas of boards; the others refer to it.

    Small pixels of sprites are most of a page with many boards of a level. A path inherits from where it is
    referred to, so it looks as before. Text inside scripts is not changed: there quotes are escaped.
    """
    counts = Counter(match["rest"] for match in PATH.finditer(page))
    names = {rest: f"path-{number}" for number, (rest, count) in enumerate(counts.items()) if count > 1}
    written = set[str]()

    def element(match: re.Match[str]) -> str:
        rest = match["rest"]
        if rest not in names:
            return match[0]
        if rest in written:
            return f'<use href="#{names[rest]}"/>'
        written.add(rest)
        return f'<path id="{names[rest]}" {rest}'

    return PATH.sub(element, page)


def _template(name: str) -> str:
    return files("puzzlemc.reports.page").joinpath(name).read_text(encoding="utf-8")


def _plain(value: object) -> object:
    """Texts without markup or control characters; `Markup` is unchanged."""
    return plain_lines(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _content(report: Report) -> dict[str, Any]:
    pictures = report.played.pictures if report.played else [_picture(report, _start(report))]
    # The solution of a constraint has no steps: it is one picture.
    pictures = [fitted(pictures[-1])] if report.is_constraint else pictures
    played = None if report.is_constraint else report.played
    analysis = report.analysis
    graph = _graph(report)
    return {
        **replayed(report.entry, report.result, pictures, played.moves if played else (), _costs(report)),
        "report": report,
        "analysis": analysis,
        "headline": headline(report),
        "proof": proof(report),
        "heading": _heading(report, played is not None and bool(played.moves)),
        "written": _as_text(report),
        "missing": report.missing,
        "cards": _cards(report),
        "facts": list(facts(report)),
        "measures": list(shown_measures(report.rules, report.measures)),
        "metrics": [_metric(report, name) for name in metrics(report)],
        "heat_maps": heat_maps(report, pictures[0]),
        "things": how_many(report),
        "why": shown(report.result.why),
        "sums": report.sums,
        "mistake": _mistake(report),
        "graph": None if isinstance(graph, str) else graph,
        "no_graph": graph if isinstance(graph, str) else "",
        "scope": scope(report),
        "states_title": states_title(report),
        "of_all": "of all" if report.has_all_states else "of those seen",
        "engine_facts": list(engine_facts(report.result)),
    }


def replayed(
    entry: Entry,
    result: Result,
    pictures: Sequence[Picture],
    moves: Sequence[str],
    costs: Mapping[str, Sequence[int]],
) -> dict[str, Any]:
    """The data of a replay, and of the texts beside it.

    pictures  one before the first move, and one after each move
    costs     by metric: the cost up to each picture
    """
    shown = film(pictures)
    solution = written(list(moves or result.trace or ()))
    text = entry.text if entry.text is not None else entry.puzzle.screen.draw(entry.level)
    return {
        "result": result,
        "title": result.title or PurePath(result.id).name,
        "long_title": len(result.title) > LONG_TITLE,
        "colours": [(css_class(name), *both) for name, both in colours().items()],
        "stage": stage(shown, "shapes", "The level", board(shown)),
        "storyboard": storyboard(pictures) if moves else "",
        "letters": groups(moves, costs),
        "between": between(moves),
        "is_long": len(solution) > LONG,
        "solution": solution,
        "level_text": text.strip("\n"),
        "command": _command(entry, result),
        "replay": {
            "moves": moves,
            "frames": shown.frames,
            "costs": costs,
            "one": {metric: singular(metric) for metric in costs},
        },
    }


def _command(entry: Entry, result: Result) -> str:
    """The command line that creates the report again."""
    asked, engine = list[str](), result.search.engine
    if engine in CHANCES and engine != LUCKY:
        asked = ["--chance", engine]
    if engine not in PLAYING_ON and result.metric not in (None, entry.puzzle.metrics[0]):
        asked += ["--metric", result.metric or ""]
    origin = entry.puzzle.origin
    file = ["--puzzle", os.path.relpath(origin) if origin.startswith(os.getcwd() + os.sep) else origin]
    return shlex.join(["puzzlemc", "report", result.id, *(file if origin else []), *asked, "-o", "report.html"])


def _heading(report: Report, moves: bool) -> str:
    """The heading of the pictures."""
    result = report.result
    if report.is_constraint and report.played:
        return "A solution"
    if moves:
        return f"A {'shortest ' if result.optimal and result.cost else ''}solution, step by step"
    return "The level: it is solved as it stands" if result.verdict == "solvable" else "The level"


def _as_text(report: Report) -> str:
    """The solution of a constraint as text; empty for other levels."""
    if not report.is_constraint or not report.played:
        return ""
    return f"{report.rules.display.solution_heading}: {written(report.played.moves)}"


def _start(report: Report) -> Any:
    return report.rules.rules.start(report.entry.level)


def _picture(report: Report, position: Any) -> Picture:
    return report.entry.puzzle.picture(report.entry.level, position)


# The replay


def _costs(report: Report) -> dict[str, list[int]]:
    """By metric, the costs up to each step; none for a constraint, which has no steps."""
    if report.played is None or report.is_constraint:
        return {}
    return costs_of(report.rules, report.entry.level, report.played)


def costs_of(rules: Puzzle, level: object, played: Played) -> dict[str, list[int]]:
    """By metric, the costs up to each step of a replay."""
    prices: dict[str, list[int]] = {metric: [0] for metric in rules.metrics}
    for position, move in zip(played.run.positions, played.moves, strict=False):
        step = rules.rules.reply(level, position, move)
        assert step is not None
        for metric, costs in prices.items():
            costs.append(step.costs[metric])
    return {metric: list(accumulate(costs)) for metric, costs in prices.items()}


# The moves as text with links to their steps


@dataclass(frozen=True)
class Group:
    """Moves that belong together: a walk and the moves after it.

    moves  for each move: the number of its step, its name, and whether it has a cost under the metric
    title  the range of their costs; may be empty
    """

    moves: tuple[tuple[int, str, bool], ...]
    title: str


def groups(moves: Sequence[str], costs: Mapping[str, Sequence[int]]) -> list[Group]:
    """The moves in groups, by a metric under which some moves are free: first free moves, then moves with a cost.

    Without such a metric, all moves are one group without a title.
    """
    metric = next((name for name, sums in costs.items() if _has_free(sums)), None)
    if metric is None:
        return [Group(tuple((step, move, False) for step, move in enumerate(moves, 1)), "")] if moves else []
    return list(_grouped(moves, metric, costs[metric]))


def _has_free(sums: Sequence[int]) -> bool:
    return any(one == other for one, other in pairwise(sums)) and sums[-1] > 0


def _grouped(moves: Sequence[str], metric: str, sums: Sequence[int]) -> Iterator[Group]:
    begin = 0
    for step in range(1, len(moves) + 1):
        paid = sums[step] > sums[step - 1]
        if step < len(moves) and not (paid and sums[step + 1] == sums[step]):
            continue
        chosen = tuple((n, moves[n - 1], sums[n] > sums[n - 1]) for n in range(begin + 1, step + 1))
        first, last = sums[begin] + 1, sums[step]
        title = f"{metric} {first} to {last}" if last > first else f"{singular(metric)} {last}" if paid else ""
        yield Group(chosen, title)
        begin = step


# The analysis of all states


def _cards(report: Report) -> list[tuple[str, str, str, str]]:
    """The cards at the top: for each a question, the answer, a remark, and `good`, `bad` or nothing."""
    analysis = report.analysis
    cards = []
    if report.is_constraint:
        return _cards_of_constraint(report)
    if report.can_be_lost is not None and analysis.dead is not None:
        if not analysis.solvable:
            cards.append(("Can the level be lost?", "At once", "no state can be solved", "bad"))
        elif report.can_be_lost:
            remark = f"{share(analysis.dead, analysis.states)} of all states are lost"
            cards.append(("Can the level be lost?", "Yes", remark, "bad"))
        else:
            cards.append(("Can the level be lost?", "No", "every state can still be solved", "good"))
    main = analysis.metrics.get(report.metric)
    if main is not None and main.solutions is not None and main.solutions.cost:
        found = main.solutions
        answer = "One" if found.is_unique else number(found.count)
        paid = paid_steps(found.trace, report.metric)
        steps = counted(paid, report.metric if paid == found.cost else "steps")
        forced = f"forced: the first {found.forced} of {steps}"
        remark = forced if found.forced else "no first step is forced"
        if not found.is_unique:
            remark = f"other orders counted apart; they end in {counted(found.ends, 'positions')}; {remark}"
        cards.append(("How many shortest solutions?", answer, remark, ""))
    if main is not None and main.losing is not None and analysis.solvable:
        earliest = main.losing.earliest
        answer = (
            f"After {counted(earliest, report.metric)}"
            if earliest
            else "At the start"
            if earliest == 0
            else "Never"
        )
        remark = "no action loses" if earliest is None else lost(sum(main.losing.by_depth))
        cards.append(("When can one first go wrong?", answer, remark, ""))
    deepest = (
        f"the deepest is {counted(main.diameter, report.metric)} away"
        if main and main.diameter and report.has_all_states
        else ""
    )
    at_least = "" if report.has_all_states else "at least "
    cards.append(("How many states are there?", f"{at_least}{number(report.known_states)}", deepest, ""))
    return cards


def lost(actions: int) -> str:
    """The number of losing actions in words."""
    return "1 action loses" if actions == 1 else f"{number(actions)} actions lose"


def _cards_of_constraint(report: Report) -> list[tuple[str, str, str, str]]:
    """The cards of a level without moves."""
    if not report.is_listed:
        return []
    at_least = "" if report.has_all_states else "at least "
    found = max(report.analysis.goals, int(report.result.verdict == "solvable"))
    cards = []
    if found or report.has_all_states:
        cards.append(
            ("How many solutions?", f"{at_least}{number(found)}", report.rules.display.solutions_differ, "")
        )
    partial, made = report.rules.display.partial
    cards.append((f"How many {partial} fit so far?", f"{at_least}{number(report.known_states)}", made, ""))
    return cards


def _metric(report: Report, name: str) -> dict[str, Any]:
    profile = report.analysis.metrics[name]
    rows = []
    for depth, states in enumerate(profile.states):
        lifeless = "" if profile.dead is None else number(profile.dead[depth])
        losing = profile.losing.by_depth if profile.losing is not None else ()
        rows.append((depth, number(states), lifeless, number(losing[depth]) if depth < len(losing) else ""))
    dead = "" if profile.dead is None else ", and the lost ones among them"
    pictures = [
        (f"New states by depth in {name}: the frontier{dead}", plots.by_depth(profile, name)),
        (f"States reached so far by depth in {name}", plots.reached(profile, name)),
    ]
    if profile.losing is not None and profile.losing.earliest is not None:
        pictures.append((f"Losing actions by depth in {name}", plots.losing(profile, name)))
    return {
        "name": name,
        "facts": list(facts_by_metric(report, name)),
        "plots": pictures if profile.diameter else [],
        "rows": rows,
    }


def _mistake(report: Report) -> dict[str, Any] | None:
    if report.mistake is None:
        return None
    before, after = report.mistake.positions[-2:]
    moved = report.rules.display.moved(report.entry.level, before, after)
    was = ringed(moved.before) + arrow(moved.before, moved.after)
    return {
        "moves": report.mistake.moves[:-1],
        "last": report.mistake.moves[-1],
        "before": still(_picture(report, before), "before the mistake, with an arrow for the move", was),
        "after": still(
            _picture(report, after), "after the mistake, with a ring around what has moved", ringed(moved.after)
        ),
        "why": shown(report.mistake.why),
        "words": report.mistake.words,
    }


def _graph(report: Report) -> Any:
    positions = report.played.run.positions if report.played else ()
    return graph_picture(
        report.analysis, report.encoded, report.metric, positions, report.entry.level, report.rules
    )
