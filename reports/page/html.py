"""A report as one HTML file, which opens from disk and loads nothing.

The template has the words, the looks and the replay; here is what it shows. The replay knows no puzzle: it has the
shapes of all pictures, and which of them each step shows (see `drawing.Film`).
"""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import accumulate
from pathlib import PurePath
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.mc.graph.analysis import Visits
from puzzlemc.reports.formats.drawing import Film, css_class, film, svg_shape, svg_shapes
from puzzlemc.reports.formats.traces import Played
from puzzlemc.reports.output.plain import plain_lines, xml
from puzzlemc.reports.output.words import counted, number, share, singular
from puzzlemc.reports.page import plots
from puzzlemc.reports.page.graph_picture import graph_picture
from puzzlemc.reports.page.report import (
    Report,
    between,
    engine_facts,
    facts,
    facts_by_metric,
    families,
    headline,
    metrics,
    proof,
    scope,
    states_title,
    written,
)
from puzzlemc.reports.run.result import Result
from puzzlemc.screens.picture import COLOURS, Picture

STORYBOARD = 8  # pictures of a solution, where it is printed
MOST_HEAT_MAPS = 6
MOST_SHADES = 9
TEXT_IN_CELLS = 24  # columns and rows up to which a heat map has numbers in its cells
PAPER, SCREEN = False, True


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
    environment.filters |= {"number": number, "markup": Markup, "moves": written}
    return environment.get_template(template).render(content)


def _template(name: str) -> str:
    return files("puzzlemc.reports.page").joinpath(name).read_text(encoding="utf-8")


def _plain(value: object) -> object:
    """Texts without what a browser takes for a command; markup is ready."""
    return plain_lines(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _content(report: Report) -> dict[str, Any]:
    pictures = report.played.pictures if report.played else [_picture(report, _start(report))]
    # Nobody plays a constraint: its solution is a picture.
    pictures = pictures[-1:] if report.is_constraint else pictures
    played = None if report.is_constraint else report.played
    analysis = report.analysis
    graph = _graph(report)
    return {
        **replayed(report.result, pictures, played.moves if played else (), report.rules.metrics, _costs(report)),
        "report": report,
        "analysis": analysis,
        "headline": headline(report),
        "proof": proof(report),
        "heading": _heading(report, played is not None and bool(played.moves)),
        "written": _as_text(report),
        "missing": report.missing,
        "cards": _cards(report),
        "facts": list(facts(report)),
        "metrics": [_metric(report, name) for name in metrics(report)],
        "heat_maps": _heat_maps(report),
        "mistake": _mistake(report),
        "graph": None if isinstance(graph, str) else graph,
        "no_graph": graph if isinstance(graph, str) else "",
        "scope": scope(report),
        "states_title": states_title(report),
        "of_all": "of all" if report.has_all_states else "of those seen",
        "engine_facts": list(engine_facts(report.result)),
    }


def replayed(
    result: Result,
    pictures: Sequence[Picture],
    moves: Sequence[str],
    metrics: Sequence[str],
    costs: Mapping[str, Sequence[int]],
) -> dict[str, Any]:
    """What the page shows of a level in pictures: moves lead from each to the next, and cost so much by metric."""
    shown = film(pictures)
    return {
        "result": result,
        "title": result.title or PurePath(result.id).name,
        "colours": [(css_class(name), *look) for name, look in COLOURS.items()],
        "stage": _stage(shown),
        "storyboard": _storyboard(pictures) if moves else "",
        "replay": {
            "moves": moves,
            "between": between(moves),
            "frames": shown.frames,
            "costs": costs,
            "one": {metric: singular(metric) for metric in metrics},
        },
    }


def _heading(report: Report, moves: bool) -> str:
    """What stands over the pictures."""
    result = report.result
    if report.is_constraint and report.played:
        return "A solution"
    if moves:
        return f"A {'shortest ' if result.optimal and result.cost else ''}solution, step by step"
    return "The level: it is solved as it stands" if result.verdict == "solvable" else "The level"


def _as_text(report: Report) -> str:
    """The solution of a constraint as text, which nobody plays."""
    if not report.is_constraint or not report.played:
        return ""
    return f"{report.rules.words.trace}: {written(report.played.moves)}"


def _start(report: Report) -> Any:
    return report.rules.rules.start(report.entry.level)


def _picture(report: Report, position: Any) -> Picture:
    return report.entry.puzzle.screen.picture(report.entry.level, position)


# The level, and the replay


def _view(shown: Film | Picture, label: str, inside: str, *, hidden: bool = False) -> str:
    size = (
        f'viewBox="0 0 {shown.width:g} {shown.height:g}" style="--columns:{shown.width:g};--rows:{shown.height:g}"'
    )
    role = 'aria-hidden="true"' if hidden else f'role="img" aria-label="{xml(label)}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="level" {size} {role}>{inside}</svg>'


def _stage(shown: Film) -> str:
    first = frozenset(shown.frames[0])
    moving = "".join(
        svg_shape(shape, attributes="" if place in first else ' visibility="hidden"')
        for place, shape in enumerate(shown.shapes)
    )
    board = f'<g id="board">{svg_shapes(shown.board)}</g>'
    return _view(shown, "The level", f'{board}<g id="shapes">{moving}</g>')


def _still(picture: Picture, label: str) -> str:
    return _view(picture, label, f'<use href="#board"/>{svg_shapes(picture.pieces)}')


def _storyboard(pictures: Sequence[Picture]) -> list[tuple[int, str]]:
    """Some pictures of the solution, as far apart as can be, each with the number of its step."""
    last = len(pictures) - 1
    many = min(STORYBOARD, last + 1)
    steps = [round(place * last / (many - 1)) for place in range(many)]
    return [(step, _still(pictures[step], f"after step {step}")) for step in steps]


def _costs(report: Report) -> dict[str, list[int]]:
    """By metric: the costs up to each step; none of a constraint, which has no steps."""
    if report.played is None or report.is_constraint:
        return {}
    return costs_of(report.rules, report.entry.level, report.played)


def costs_of(rules: Puzzle, level: object, played: Played) -> dict[str, list[int]]:
    """By metric: the costs up to each step of a play."""
    prices: dict[str, list[int]] = {metric: [0] for metric in rules.metrics}
    for position, move in zip(played.run.positions, played.moves, strict=False):
        (step,) = (step for step in rules.rules.steps(level, position) if step.name == move)
        for metric, costs in prices.items():
            costs.append(step.costs[metric])
    return {metric: list(accumulate(costs)) for metric, costs in prices.items()}


# What all states tell


def _cards(report: Report) -> list[tuple[str, str, str, str]]:
    """What people look for first: a question, the answer, a remark, and whether that is good or bad."""
    analysis = report.analysis
    cards = []
    if report.is_constraint:
        return _cards_of_constraint(report)
    if report.can_get_stuck is not None and analysis.dead is not None:
        if not analysis.solvable:
            cards.append(("Can one get stuck for good?", "At once", "no state can be solved", "bad"))
        elif report.can_get_stuck:
            remark = f"{share(analysis.dead, analysis.states)} of all states are dead"
            cards.append(("Can one get stuck for good?", "Yes", remark, "bad"))
        else:
            cards.append(("Can one get stuck for good?", "No", "every state can still be solved", "good"))
    main = analysis.metrics.get(report.metric)
    if main is not None and main.solutions is not None and main.solutions.cost:
        found = main.solutions
        answer = "One" if found.is_unique else number(found.count)
        forced = f"forced: the first {found.forced} of {counted(found.cost, report.metric)}"
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
    """That so many actions lose."""
    return "1 action loses" if actions == 1 else f"{number(actions)} actions lose"


def _cards_of_constraint(report: Report) -> list[tuple[str, str, str, str]]:
    """The same of a level without moves."""
    at_least = "" if report.has_all_states else "at least "
    found = max(report.analysis.goals, int(report.result.verdict == "solvable"))
    cards = []
    if found or report.has_all_states:
        cards.append(("How many solutions?", f"{at_least}{number(found)}", report.rules.words.apart, ""))
    boards = f"{at_least}{number(report.known_states)}"
    cards.append(("How many boards fit so far?", boards, "filled in reading order", ""))
    return cards


def _metric(report: Report, name: str) -> dict[str, Any]:
    profile = report.analysis.metrics[name]
    rows = []
    for depth, states in enumerate(profile.states):
        lifeless = "" if profile.dead is None else number(profile.dead[depth])
        losing = profile.losing.by_depth if profile.losing is not None else ()
        rows.append((depth, number(states), lifeless, number(losing[depth]) if depth < len(losing) else ""))
    dead = "" if profile.dead is None else ", and what of it is dead"
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


def _heat_maps(report: Report) -> list[dict[str, Any]]:
    """For each thing that is said of places: how many states there are with it there."""
    found = []
    board = _picture(report, _start(report))
    for family, places in list(families(report.encoded.places, report.analysis.atoms).items())[:MOST_HEAT_MAPS]:
        dead = report.dead_places.get(family, [])
        found.append(
            {
                "name": family,
                "svg": _heat_map(report, board, family, places, frozenset(dead)),
                "dead": dead,
                "rows": [
                    (
                        place,
                        number(visits.states),
                        share(visits.states, report.analysis.states),
                        _dead_share(visits),
                    )
                    for place, visits in places.items()
                ],
            }
        )
    return found


def _heat_map(
    report: Report,
    board: Picture,
    family: str,
    places: Mapping[tuple[int, int], Visits],
    dead: frozenset[tuple[int, int]],
) -> str:
    most = max(visits.states for visits in places.values())
    with_text = max(board.width, board.height) <= TEXT_IN_CELLS
    parts = ['<use href="#board"/>']
    for (row, column), visits in places.items():
        shade = 1 + round((MOST_SHADES - 1) * visits.states / most)
        title = f"({row},{column}): {number(visits.states)} states, {share(visits.states, report.analysis.states)}"
        title += f", {_dead_share(visits)} of them dead" if visits.solvable is not None else ""
        lost = (row, column) in dead
        look = "heat dead" if lost else f"heat h{shade}"
        place = f'x="{column + 0.02:g}" y="{row + 0.02:g}" width=".96" height=".96"'
        # The floor once more: what the board shows there would get in the way of the number.
        square = f'<rect class="{css_class("floor")}" {place}/><rect class="{look}" {place}/>'
        if lost:
            square += f'<path class="cross" d="M{column + 0.2:g} {row + 0.2:g}l.6 .6m0-.6l-.6 .6"/>'
        elif with_text:
            text = percent_in_cell(visits.states, most, report.analysis.states)
            square += f'<text class="share" x="{column + 0.5:g}" y="{row + 0.5:g}">{xml(text)}</text>'
        parts.append(f"<g>{square}<title>{xml(title)}</title></g>")
    return _view(board, f"Heat map of {family}; the table below has its numbers", "".join(parts))


def percent_in_cell(part: int, most: int, whole: int) -> str:
    """A share in percent, as short as fits; the more the share, the more is told. `most` is that of the map."""
    unit = 1.0 if 100 * most >= 10 * whole else 0.1
    percent = 100 * part / whole
    if percent < unit:
        return "<1" if unit == 1 else "<.1"
    text = f"{percent:.{0 if unit == 1 else 1}f}"
    return ">99" if text == "100" and part < whole else text


def _dead_share(visits: Visits) -> str:
    return "" if visits.solvable is None else share(visits.states - visits.solvable, visits.states)


def _mistake(report: Report) -> dict[str, Any] | None:
    if report.mistake is None:
        return None
    before, after = (
        _still(_picture(report, position), label)
        for position, label in zip(report.mistake.positions[-2:], ("before it", "after it"), strict=True)
    )
    return {"moves": report.mistake.moves[:-1], "last": report.mistake.moves[-1], "before": before, "after": after}


def _graph(report: Report) -> Any:
    positions = report.played.run.positions if report.played else ()
    return graph_picture(
        report.analysis, report.encoded, report.metric, positions, report.entry.level, report.rules
    )
