"""A level as one HTML file that plays by itself, offline: its rules, its verdict, and what is known of positions.

The rules are those in JavaScript that a puzzle has (`Shared`), or a table of all positions. A level with neither
is shown with its solution. No text of a level becomes markup, and the policy of the page allows no other script.
"""

import json
import time
from collections.abc import Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from puzzlemc.encodings.puzzle.shared import SharedLevel
from puzzlemc.encodings.puzzles import Entry, colours
from puzzlemc.mc.errors import LIMITS, ModelError, Refuted
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.mc.rules.plain import Constraint
from puzzlemc.reports.formats.shapes import picture, shapes
from puzzlemc.reports.output.files import write
from puzzlemc.reports.output.look import variables
from puzzlemc.reports.output.words import counted, none_better
from puzzlemc.reports.positions.explored import Explored, explored
from puzzlemc.reports.share.html import in_html, own_text, policy, rendered, scripts
from puzzlemc.reports.share.table import known
from puzzlemc.reports.share.tabulated import rules as table_of
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.reports.workers.worker import elapsed, next_stage

FORMAT, VERSION = "puzzlemc-page", 1
SOLVING = 0.5  # of the time limit, at most; what is known of all positions has the rest
MOST_SHAPES = 200_000  # of all steps of a solution
WRITING = 20.0  # seconds for loading code and for writing, even after a shorter time limit: nothing known is lost


@dataclass(frozen=True)
class Content:
    """What is on a page.

    data     for its script
    modules  of JavaScript that only this page needs, by their names
    remarks  on what the page cannot do
    """

    data: Mapping[str, Any]
    modules: dict[str, str]
    remarks: tuple[str, ...]


def write_page(entry: Entry, metric: str, path: Path, seconds: float | None, memory: float) -> list[Path]:
    """Solve a level and write its page. `seconds` is the limit for both, None for none; `memory` in GiB."""
    write(path, made(entry, metric, seconds, memory))
    return [path]


def made(entry: Entry, metric: str, seconds: float | None, memory: float, cancelled: Event | None = None) -> str:
    """The page of a level that is solved within the limits."""
    begun = time.monotonic() - elapsed()
    options = Options(metric=metric, timeout=0.0 if seconds is None else SOLVING * seconds, memory=memory)
    entry, result = solved(entry, options, cancelled)
    left = None if seconds is None else max(0.0, seconds - (time.monotonic() - begun))
    next_stage((left or 0.0) + WRITING)
    return page(entry, result, Budget(Limits(left, int(memory * GIB)), None, 0, cancelled or Event()))


def solved(entry: Entry, options: Options, cancelled: Event | None = None) -> tuple[Entry, Result]:
    """The level as it is played, and its result; the level as it is written if it is only solved as that."""
    result = solve_entry(entry, options, passed=elapsed(), cancelled=cancelled)
    played = as_played(entry)
    if played is not entry and result.verdict == "solvable":
        moves = solve_entry(played, options, passed=elapsed(), cancelled=cancelled)
        if moves.verdict != "unknown":
            entry, result = played, moves
    if result.verdict == "error":
        raise Refuted(result.reason or "")
    return entry, result


def as_played(entry: Entry) -> Entry:
    """The level as it is played with a pointer, with the same solutions: a constraint as moves in any order."""
    rules = entry.puzzle
    level = entry.level if rules.pointing is None else rules.pointing().level(entry.level)
    return entry if level == entry.level else Entry(entry.id, entry.title, rules, level)


def page(entry: Entry, result: Result, budget: Budget) -> str:
    """The page of a level with this result, and with what is known of all positions within the budget."""
    found = content(entry, result, budget)
    script, data = _script(found), found.data
    palette = {f"c-{name.replace(' ', '-')}": both for name, both in sorted(colours().items())}
    return rendered(
        "page.html.jinja",
        style=variables(palette),
        title=data["title"],
        author=data["author"],
        game=data["game"],
        verdict=data["verdict"],
        how=data["how"],
        remarks=found.remarks,
        policy=policy(script),
        data=in_html(data),
        script=script,
    )


def content(entry: Entry, result: Result, budget: Budget) -> Content:
    """What is on the page of a level."""
    rules, level = entry.puzzle, entry.level
    metric = result.metric if result.metric in rules.metrics else rules.metrics[0]
    shared = None if rules.shared is None else rules.shared()
    given = None if shared is None else shared.level(level)
    everything = _explored(entry, metric, budget)
    played = None if given is None else _given(given)
    if played is None and everything is not None:
        played = table_of(everything)
    facts = None
    if played is not None and everything is not None:
        facts = known(everything, shared.key if shared is not None and given is not None else None)
    verdict = _verdict(entry, result, metric)
    if facts is not None:
        verdict = _compared(verdict, facts["left"], metric)
    best = [] if result.trace is None else list(result.trace)
    start = rules.rules.start(level) if rules.game is None else rules.game.rules.start(level)
    first = picture(rules.picture(level, start))
    instructions = None if rules.display.instructions is None else rules.display.instructions(level)
    game = "" if instructions is None else instructions.title
    how = rules.how_to_play
    if instructions is not None:
        how = instructions.goal if played is None else f"{instructions.goal} {instructions.keys}"
    data = {
        "format": FORMAT,
        "version": VERSION,
        "title": entry.title or f"A level of {game or rules.name}",
        "game": game,
        "author": getattr(level, "author", "") or ("" if instructions is None else instructions.author),
        "puzzle": rules.name,
        "how": how,
        "metric": metric,
        "metrics": list(rules.metrics),
        "free": rules.game is None and _is_free(result),
        "verdict": verdict,
        "best": best,
        "rules": played,
        "known": facts,
        "film": None if played is not None else _film(entry, best, first["pieces"]),
        "look": {name: first[name] for name in ("width", "height", "board")},
    }
    modules = {}
    if shared is not None and given is not None:
        modules["rules"] = shared.text()
    elif played is not None:
        modules["table"] = own_text("table.js")
    if facts is not None or "table" in modules:  # the table is unpacked by it, too
        modules["known"] = own_text("known.js")
    return Content(data, modules, tuple(_remarks(data)))


def _explored(entry: Entry, metric: str, budget: Budget) -> Explored | None:
    """All positions of a level; None if they are too many, or if the rules have errors in reach of the start."""
    try:
        return explored(entry, metric, budget)
    except (ModelError, *LIMITS):
        return None


def _given(level: SharedLevel) -> dict[str, Any]:
    looks = {name: shapes(each) for name, each in level.looks.items()}
    return {"kind": "script", "level": level.data, "looks": looks}


def _is_free(result: Result) -> bool:
    """Do the moves of a solution cost nothing, as those that only construct it?"""
    return bool(result.trace) and not any(result.costs.values())


def _film(entry: Entry, moves: list[str], first: list[Any]) -> dict[str, Any]:
    """What is painted over the board at each step of a solution: all shapes once, and their numbers at each step.

    There is only the start if the plain rules cannot play the moves, or if the shapes are too many for a page.
    """
    rules, level = entry.puzzle, entry.level
    positions: tuple[Hashable, ...] = ()
    with suppress(Refuted):
        if isinstance(rules.question(level), Constraint):  # its solution has no steps
            positions = (rules.rules.start(level), *rules.replay(level, moves).positions)
        elif moves:
            positions = rules.play(level, moves).positions
    numbers: dict[str, int] = {}
    steps, count = list[list[int]](), 0
    for position in positions:
        pieces = shapes(rules.picture(level, position).pieces)
        steps.append([numbers.setdefault(json.dumps(each), len(numbers)) for each in pieces])
        count += len(pieces)
        if count > MOST_SHAPES:
            break
    if not steps or count > MOST_SHAPES:
        return {"shapes": first, "steps": [[*range(len(first))]]}
    return {"shapes": [json.loads(each) for each in numbers], "steps": steps}


def _verdict(entry: Entry, result: Result, metric: str) -> dict[str, Any]:
    """The verdict for the script, and in words."""
    cost = result.costs.get(metric)
    optimal = bool(result.optimal) and result.least[0] == metric
    found = {"verdict": result.verdict, "cost": cost, "optimal": optimal, "tone": "warn"}
    if result.game is not None and result.game["winner"] is not None:
        winner, turns = str(result.game["winner"]), int(result.game["turns"])
        return found | {"words": f"{winner.capitalize()} wins in {counted(turns, metric)}.", "tone": "good"}
    if result.game is not None and result.game.get("draw"):
        return found | {"words": "A draw, if both sides play well.", "tone": "good"}
    if result.verdict == "solvable" and entry.puzzle.chance(entry.level) is not None:
        return found | {"words": "Solvable, with luck.", "tone": "good"}
    if result.verdict == "solvable" and not result.trace:
        return found | {"words": "It is solved as it stands.", "tone": "good"}
    if result.verdict == "solvable" and (cost is None or _is_free(result)):
        return found | {"words": "It has a solution.", "tone": "good"}
    if result.verdict == "solvable" and cost is not None:
        return found | _solvable(cost, metric, optimal=optimal)
    if result.verdict == "unsolvable":
        return found | UNSOLVABLE
    return found | {"words": "Whether it has a solution is not known."}


UNSOLVABLE = {"words": "It has no solution.", "tone": "bad"}


def _solvable(cost: int, metric: str, *, optimal: bool) -> dict[str, str]:
    words = f"Solvable at a cost of {cost}" if metric == "cost" else f"Solvable in {counted(cost, metric)}"
    sure = f": {none_better(metric)}" if optimal else "; whether it takes fewer is not known"
    return {"words": f"{words}{sure}.", "tone": "good"}


def _compared(verdict: dict[str, Any], left: int | None, metric: str) -> dict[str, Any]:
    """The verdict beside the least cost by the list of all positions, None without a solution.

    The list decides what a limit has left unknown. Raises Refuted if the two contradict each other.
    """
    said, cost = verdict["verdict"], verdict["cost"]
    if said == "unknown" and left is None:
        return verdict | UNSOLVABLE | {"verdict": "unsolvable"}
    if said == "unknown" and left is not None:
        return (
            verdict
            | {"verdict": "solvable", "cost": left, "optimal": True}
            | _solvable(left, metric, optimal=True)
        )
    wrong = (said == "solvable") is (left is None)
    if left is not None and cost is not None:
        wrong = wrong or cost < left or (verdict["optimal"] and cost > left)
    if wrong:
        words = f"cost {left}" if left is not None else "no solution"
        raise Refuted(f"the search found {said}, cost {cost}, and the list of all positions {words}")
    return verdict


def _remarks(data: Mapping[str, Any]) -> list[str]:
    """What the page cannot do, for people."""
    if data["rules"] is None:
        return ["This page shows the level and its solution. To play the level, open it in puzzlemc."]
    if data["known"] is None:
        return ["Hints follow the solution that is known: the level has too many positions to know all of them."]
    return []


def _script(found: Content) -> str:
    """The script of a page: its modules, and the call that begins."""
    modules = scripts(found.modules, ("player", *found.modules))
    made = ", ".join(f"{key}: module_{name}.{function}" for name, key, function in MAKERS if name in found.modules)
    begin = f'module_player.start(JSON.parse(document.getElementById("level").textContent), {{ {made} }})'
    return "\n".join(['"use strict"', modules, begin, ""])


# Modules, the names under which the player finds what they export, and that.
MAKERS = (("rules", "script", "rules"), ("table", "table", "rules"), ("known", "known", "known"))
