"""The rules in JavaScript make the moves of the plain rules, in their order: node walks random levels."""

import json
import shutil
import subprocess
from collections.abc import Hashable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import boards, levels, squares

from examples import examples
from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.reports.formats.shapes import shapes

MOST = 60  # positions of a level
# The answer for each level: its first positions, breadth first, with their keys, moves, and pictures.
WALK = """
let text = ""
for await (const part of process.stdin) text += part
const { script, levels, most } = JSON.parse(text)
const { rules: made } = await import("data:text/javascript," + encodeURIComponent(script))
console.log(JSON.stringify(levels.map(([level, looks]) => {
  const rules = made(level, looks), found = new Map([[rules.key(rules.start()), rules.start()]])
  for (const position of found.values()) {
    for (const { position: after } of rules.moves(position)) {
      if (found.size < most && !found.has(rules.key(after))) found.set(rules.key(after), after)
    }
  }
  return [...found.values()].map(position => ({
    key: rules.key(position),
    moves: rules.moves(position).map(({ name, position: after, costs }) => [name, rules.key(after), costs]),
    solved: rules.solved(position),
    picture: rules.picture(position),
  }))
})))
"""


def by_node(rules: Puzzle, of: list[Any]) -> Any:
    """What the rules in JavaScript say of levels."""
    if shutil.which("node") is None:
        pytest.skip("there is no node on the PATH")
    assert rules.shared is not None
    shared, asked = rules.shared(), []
    for level in of:
        given = shared.level(level)
        assert given is not None
        asked.append([given.data, {name: shapes(each) for name, each in given.looks.items()}])
    question = json.dumps({"script": shared.text(), "levels": asked, "most": MOST})
    command = ["node", "--input-type=module", "-e", WALK]
    done = subprocess.run(command, input=question, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def by_plain_rules(rules: Puzzle, level: Any) -> list[dict[str, Any]]:
    """What the plain rules say of a level, as `by_node` answers, and the shapes of pictures at their places."""
    assert rules.shared is not None
    plain, key = rules.rules, rules.shared().key
    start = plain.start(level)
    found: dict[str, Hashable] = {key(level, start): start}
    queue = [start]
    for position in queue:  # the list grows in the loop
        for step in plain.steps(level, position):
            if len(found) < MOST and key(level, step.position) not in found:
                found[key(level, step.position)] = step.position
                queue.append(step.position)
    return [
        {
            "key": name,
            "moves": [
                [step.name, key(level, step.position), dict(step.costs)] for step in plain.steps(level, position)
            ],
            "solved": plain.solved(level, position),
            "picture": sorted(map(str, shapes(rules.picture(level, position).pieces))),
        }
        for name, position in found.items()
    ]


def at_places(stamps: list[Any]) -> list[str]:
    """The shapes of a picture of the page at their places, as `by_plain_rules` has them."""

    def moved(shape: list[Any], row: int, column: int) -> list[Any]:
        kind, colour, *rest = shape
        if kind == "p":
            return [kind, colour, [[round(x + column, 4), round(y + row, 4)] for x, y in rest[0]]]
        x, y, *others = rest
        return [kind, colour, round(x + column, 4), round(y + row, 4), *others]

    return sorted(str(moved(shape, row, column)) for found, row, column in stamps for shape in found)


def check(rules: Puzzle, of: list[Any]) -> None:
    """The rules in JavaScript say the same of all levels as the plain rules."""
    for level, answers in zip(of, by_node(rules, of), strict=True):
        for each in answers:
            each["picture"] = at_places(each["picture"])
        assert answers == by_plain_rules(rules, level)


@settings(max_examples=examples(4, 40))
@given(st.lists(levels(), min_size=8, max_size=8))
def test_sokoban(of: list[Any]) -> None:
    check(puzzle("sokoban"), of)


@settings(max_examples=examples(3, 40))
@given(st.lists(boards(), min_size=12, max_size=12))
def test_folding(of: list[Any]) -> None:
    check(puzzle("folding"), of)


@settings(max_examples=examples(3, 40))
@given(st.lists(squares(most=3), min_size=12, max_size=12))
def test_tetravex(of: list[Any]) -> None:
    check(puzzle("tetravex"), of)
