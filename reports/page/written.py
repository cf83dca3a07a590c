"""Writes a report as HTML, as Markdown or as JSON.

What draws pages is imported when one is drawn: it needs matplotlib, and a command that asks a worker for a report
would load all of that, too.
"""

import json
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.explanation import name_of
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.graph.analysis import ByMetric
from puzzlemc.reports.measures.measure import measured_within
from puzzlemc.reports.output.files import write as write_file
from puzzlemc.reports.output.plain import markdown, markdown_block, markdown_code
from puzzlemc.reports.page.measured import shown_measures
from puzzlemc.reports.page.reasons import part_in_markdown, sums_in_markdown
from puzzlemc.reports.page.report import (
    Mistake,
    Report,
    engine_facts,
    facts,
    facts_by_metric,
    gather,
    headline,
    metrics,
    proof,
    states_title,
    written,
)
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.workers.worker import next_stage, tell

if TYPE_CHECKING:
    from puzzlemc.reports.page.game import ChanceReport, GameReport

DRAWING = "puzzlemc.reports.page.game"  # the module that workers load before: all that draws pages
WRITE_SECONDS = 20.0  # for loading code and for writing, even after a shorter time limit: nothing known is lost


def as_json(report: Report) -> dict[str, object]:
    """The whole report, without pictures."""
    analysis, mistake = report.analysis, report.mistake
    return {
        "level": report.draw(report.rules.rules.start(report.entry.level)),
        "result": report.result.as_json(),
        "proof": proof(report),
        "analysis": {
            "complete": analysis.is_complete,
            "reason": analysis.reason,
            "states": analysis.states if report.is_listed else None,
            "goals": analysis.goals if report.is_listed else None,
            "edges": analysis.edges,
            "solvable": analysis.solvable,
            "dead": analysis.dead,
            "known_dead": analysis.known_dead,
            "stuck": analysis.stuck,
            "lost": analysis.lost,
            "metrics": {metric: _metric_as_json(one, report.encoded) for metric, one in analysis.metrics.items()},
            "atoms": {
                name: {"states": visits.states, "solvable": visits.solvable}
                for name, visits in analysis.atoms.items()
            },
            "dead_places": {
                family: [[row + 1, column + 1] for row, column in dead]
                for family, dead in report.dead_places.items()
            },
        },
        "mistake": None if mistake is None else _mistake_as_json(report, mistake),
        "why": [each.words for each in report.sums],
        **({"measures": dict(report.measures)} if report.measures else {}),
        "missing": report.missing,
    }


def _mistake_as_json(report: Report, mistake: Mistake) -> dict[str, object]:
    why = mistake.why and mistake.why.as_json()
    return {
        "moves": list(mistake.moves),
        "position": report.draw(mistake.positions[-1]),
        "why": why,
        "words": mistake.words,
    }


def _metric_as_json(profile: ByMetric, encoded: Encoded) -> dict[str, object]:
    shortest, losing = profile.solutions, profile.losing
    return {
        "diameter": profile.diameter,
        "states": list(profile.states),
        "dead": None if profile.dead is None else list(profile.dead),
        "solutions": shortest
        and {
            "cost": shortest.cost,
            "count": shortest.count,
            "unique": shortest.is_unique,
            "forced": shortest.forced,
            "on_some": shortest.on_some,
            "on_all": shortest.on_all,
            "ends": shortest.ends,
            "trace": encoded.moves(shortest.trace),
        },
        "losing": losing
        and {
            "by_depth": list(losing.by_depth),
            "earliest": losing.earliest,
            "on_shortest": losing.on_shortest,
            "first": None if losing.first is None else encoded.moves(losing.first),
        },
    }


def _html(report: Report) -> str:
    from puzzlemc.reports.page.html import html

    return html(report)


def _json(report: Report) -> str:
    return json.dumps(as_json(report), indent=1) + "\n"


def _markdown(report: Report) -> str:
    result = report.result
    lines = [f"# {markdown(result.title or result.id)}", "", f"{markdown_code(result.id)} · {result.puzzle}", ""]
    lines += [markdown_block(report.draw(report.rules.rules.start(report.entry.level))), ""]
    lines += [f"**{headline(report)}**", markdown(proof(report)), ""]
    if report.result.why is not None:
        lines += ["## Why there is no solution", "", *part_in_markdown(report.result.why)]
    if report.sums:
        lines += ["## Why there is no solution", "", *sums_in_markdown(report.sums)]
    if report.played is not None and report.is_constraint:
        lines += ["## A solution", "", markdown_block(report.draw(report.played.run.positions[-1])), ""]
        lines += [
            f"{report.rules.display.solution_heading}:",
            "",
            markdown_block(_wrapped(report.played.moves)),
            "",
        ]
    elif report.played is not None and not report.played.moves:
        lines += ["It is solved as it stands.", ""]
    elif report.played is not None:
        lines += ["## Solution", "", markdown_block(_wrapped(report.played.moves)), ""]
    if found := list(facts(report)):
        lines += [f"## {states_title(report)}", "", *_table(found)]
    for metric in metrics(report):
        lines += [f"## By {metric}", "", *_table(list(facts_by_metric(report, metric)))]
    if found := [(title, value) for title, value, _ in shown_measures(report.rules, report.measures)]:
        lines += ["## How hard it is", "", *_table(found)]
    if report.mistake is not None:
        lines += ["## The first mistake", "", "The quickest way to lose the level for good:", ""]
        drawn = report.draw(report.mistake.positions[-1])
        lines += [markdown_block(f"{_wrapped(report.mistake.moves)}\n\n{drawn}"), ""]
        lines += part_in_markdown(report.mistake.why)
        lines += [markdown(report.mistake.words), ""] if report.mistake.words else []
    for family, dead in report.dead_places.items():
        places = " ".join(f"({name_of(place)})" for place in dead)
        lines += [f"## Lost places: {markdown(family)}", "", places, ""]
    engine = ", ".join(f"{name} {value}" for name, value in engine_facts(report.result))
    lines += ["## Engine", "", engine, ""]
    if report.missing:
        lines += ["## What is missing", "", *(f"- {markdown(what)}" for what in report.missing), ""]
    return "\n".join(lines)


def _table(rows: Sequence[tuple[str, str]]) -> list[str]:
    return ["| | |", "|---|---:|", *(f"| {name} | {value} |" for name, value in rows), ""]


def _wrapped(moves: Sequence[str]) -> str:
    """Moves in lines."""
    return textwrap.fill(written(moves), 72, break_on_hyphens=False)


def _game_as_html(report: "GameReport | ChanceReport") -> str:
    from puzzlemc.reports.page.game import game_html

    return game_html(report)


def _game_as_json(report: "GameReport | ChanceReport") -> str:
    fields = {"level": report.frames[0], "result": report.result.as_json(), "proof": report.proof}
    return json.dumps(fields | {"missing": report.missing}, indent=1) + "\n"


def _game_as_markdown(report: "GameReport | ChanceReport") -> str:
    from puzzlemc.reports.page.game import GameReport

    result, moves = report.result, report.played.moves
    lines = [f"# {markdown(result.title or result.id)}", "", f"{markdown_code(result.id)} · {result.puzzle}", ""]
    lines += [markdown_block(report.frames[0]), "", f"**{report.headline}**", markdown(report.proof), ""]
    if moves:
        lines += [f"## {report.line_title}", "", markdown_block(f"{_wrapped(moves)}\n\n{report.frames[-1]}"), ""]
    if isinstance(report, GameReport) and report.first_moves:
        lines += [f"## {report.first_moves_title}", "", markdown_block(_wrapped(report.first_moves)), ""]
    if report.strategy:
        lines += ["## The strategy", "", markdown_block(report.strategy), ""]
    lines += ["## Engine", "", ", ".join(f"{name} {value}" for name, value in engine_facts(result)), ""]
    if report.missing:
        lines += ["## What is missing", "", *(f"- {markdown(what)}" for what in report.missing), ""]
    return "\n".join(lines)


# The writers of a report by suffix.
FORMATS: dict[str, Callable[[Report], str]] = {".html": _html, ".json": _json, ".md": _markdown}
GAME_FORMATS: "dict[str, Callable[[GameReport | ChanceReport], str]]" = {
    ".html": _game_as_html,
    ".json": _game_as_json,
    ".md": _game_as_markdown,
}


@dataclass(frozen=True)
class Written:
    """The missing facts and the numbers of a written report, for an index of several reports.

    states    the number of known reachable states; None if they cannot be listed, and for a game
    complete  these are all reachable states
    dead      the number of dead ones; None if it is unknown
    remark    on the verdict
    """

    missing: list[str]
    states: int | None = None
    complete: bool = False
    dead: int | None = None
    remark: str = ""


def write(entry: Entry, options: Options, result: Result, path: Path, reason: str | None = None) -> list[str]:
    """Write the report on a result, in the format of the path's suffix; return the missing facts.

    The analysis has the limits of the options. With a `reason`, which is a limit, there is no analysis.
    """
    return write_counted(entry, options, result, path, reason).missing


def write_counted(
    entry: Entry, options: Options, result: Result, path: Path, reason: str | None = None
) -> Written:
    """Write the report as `write` does; return its missing facts and its numbers."""
    from puzzlemc.reports.page.game import chance_report, game_report

    if entry.puzzle.game is not None or entry.puzzle.chance(entry.level) is not None:
        is_game = entry.puzzle.game is not None
        of_game = game_report(entry, result) if is_game else chance_report(entry, result, options.chance)
        write_file(path, GAME_FORMATS[path.suffix](of_game))
        return Written(of_game.missing, remark=of_game.remark)
    next_stage()
    made = gather(entry, options, result, reason)
    if options.measured and reason is None:
        next_stage()
        tell("measures")
        made = replace(made, measures=measured_within(entry, options.limits))
    next_stage(WRITE_SECONDS)
    tell("writing")
    write_file(path, FORMATS[path.suffix](made))
    states = made.known_states if made.is_listed else None
    return Written(made.missing, states, made.has_all_states, made.analysis.dead)
