"""Rules as a table, read by node: all positions of many levels, against the plain rules and the pictures."""

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from examples import examples
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.reports.formats.shapes import shapes
from puzzlemc.reports.positions.explored import Explored
from puzzlemc.reports.share import tabulated
from puzzlemc.reports.share.bundle import bundle

FOLDER = Path(__file__).parents[3] / "reports" / "share"
ASK = """
let text = ""
for await (const part of process.stdin) text += part
const { script, levels } = JSON.parse(text)
const made = new Function(script + "\\nreturn module_table.rules")()
console.log(JSON.stringify(await Promise.all(levels.map(async ([data, order]) => {
  const rules = await made(data)
  return [rules.start(), order.map(position => ({
    key: rules.key(position),
    moves: rules.moves(position).map(({ name, position: after, costs }) => [name, after, costs]),
    solved: rules.solved(position),
    picture: rules.picture(position),
  }))]
}))))
"""


def answered(levels: list[tuple[dict[str, Any], list[int]]]) -> Any:
    """What the rules of each table say of positions, in an order."""
    if shutil.which("node") is None:
        pytest.skip("there is no node on the PATH")
    modules = {name: (FOLDER / f"{name}.js").read_text("utf-8") for name in ("known", "table")}
    question = json.dumps({"script": bundle(modules, "table"), "levels": levels})
    command = ["node", "--input-type=module", "-e", ASK]
    done = subprocess.run(command, input=question, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def at_places(stamps: list[Any]) -> list[Any]:
    """The shapes of stamps at their cells."""
    found = []
    for look, row, column in stamps:
        for kind, colour, *rest in look:
            if kind == "p":
                rest[0] = [[round(x + column, 3), round(y + row, 3)] for x, y in rest[0]]
            else:
                rest[:2] = [round(rest[0] + column, 3), round(rest[1] + row, 3)]
            found.append([kind, colour, *rest])
    return found


def expected(level: Explored) -> list[dict[str, Any]]:
    """What the plain rules say of the positions by their numbers, and what the puzzle draws."""
    rules, of = level.puzzle.rules, level.level
    positions = list(level.positions())
    number = {position: place for place, position in enumerate(positions)}
    assert number[rules.start(of)] == 0
    found = []
    for position in positions:
        steps = [[step.name, number[step.position], dict(step.costs)] for step in rules.steps(of, position)]
        drawn = [[shape, 0, 0] for shape in [shapes(level.puzzle.picture(of, position).pieces)]]
        solved = rules.solved(of, position)
        found.append({"moves": sorted(steps, key=str), "solved": solved, "picture": at_places(drawn)})
    return found


def test_all_positions_of_many_levels(small: list[Explored]) -> None:
    most = examples(60, 120)
    chosen = [level for level in small if len(level) <= most and level.metric == level.puzzle.metrics[0]]
    assert len(chosen) >= 20
    assert len({level.puzzle.name for level in chosen}) >= 8
    tables = [tabulated.rules(level) for level in chosen]
    random = np.random.default_rng(0)
    # In any order: a picture follows from those before it.
    orders = [random.permutation(len(level)).tolist() for level in chosen]
    asked = list(zip(tables, orders, strict=True))
    for level, data, order, answer in zip(chosen, tables, orders, answered(asked), strict=True):
        assert data is not None
        start, answers = answer
        assert start == 0
        wanted = expected(level)
        for number, each in zip(order, answers, strict=True):
            assert each.pop("key") == str(number)
            each["moves"].sort(key=str)
            each["picture"] = at_places(each["picture"])
            if level.puzzle.display.stamps is not None:  # colour by colour, or object by object
                each["picture"].sort(key=str)
                wanted[number]["picture"].sort(key=str)
            assert each == wanted[number]


def test_a_table_is_not_too_large(small: list[Explored], monkeypatch: pytest.MonkeyPatch) -> None:
    level = max(small, key=len)
    data = tabulated.rules(level)
    assert data is not None
    size = sum(len(text) for text in data.values() if isinstance(text, str))
    assert size < 10 * len(level)
    monkeypatch.setattr(tabulated, "MOST_BYTES", size - 1)
    assert tabulated.rules(level) is None
    monkeypatch.undo()
    drawn: list[Explored] = []
    monkeypatch.setattr(tabulated, "_pictures", lambda level: drawn.append(level) or {})
    monkeypatch.setattr(tabulated, "MOST_BYTES", 10)
    assert tabulated.rules(level) is None
    assert drawn == []
    monkeypatch.undo()
    monkeypatch.setattr(tabulated, "MOST_DRAWN", 100)
    assert tabulated.rules(level) is None
    monkeypatch.undo()
    cancelled = Budget(Limits(60.0, GIB))
    cancelled.cancel()
    assert tabulated.rules(replace(level, budget=cancelled)) is None
