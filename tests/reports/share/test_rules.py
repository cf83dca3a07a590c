"""The rules in JavaScript make the moves of the plain rules, in their order: node walks random levels."""

import json
import shutil
import subprocess
from collections.abc import Hashable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT
from random_systems import random_system
from strategies import boards, levels, squares

from examples import examples
from puzzlemc.encodings.modelling.language.expressions import All, If
from puzzlemc.encodings.modelling.language.functions import Max
from puzzlemc.encodings.modelling.language.system import System
from puzzlemc.encodings.modelling.puzzle import puzzle as puzzle_of
from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.reports.formats.shapes import shapes
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.modelling.free import free

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
            "picture": at_places([[shapes(rules.picture(level, position).pieces), 0, 0]]),
        }
        for name, position in found.items()
    ]


def at_places(stamps: list[Any]) -> list[str]:
    """The shapes of a picture of the page at their places, sorted."""

    def moved(shape: list[Any], row: int, column: int) -> list[Any]:
        kind, colour, *rest = shape
        if kind == "p":
            return [kind, colour, [[round(x + column, 4), round(y + row, 4)] for x, y in rest[0]]]
        x, y, *others = (float(each) if type(each) is int else each for each in rest)
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


def of_seed(number: int) -> System:
    """A random system. Its steps are no errors."""
    return random_system(number, faults=False)


SYSTEMS = puzzle_of("systems", of_seed, free(int))
SHOWN = (
    "coins",
    "glide",
    "hanoi",
    "jugs",
    "knights",
    "lights_out",
    "pegs",
    "river",
    "rolling_cube",
    "rush_hour",
    "sliding",
)


def parsed(rules: Puzzle, text: str) -> list[Any]:
    return [level for level in rules.screen.parse(text, "levels") if not isinstance(level, LevelError)]


def test_systems() -> None:
    """Most random systems have a form in JavaScript, and those are the plain rules."""
    count = examples(120, 1500)
    assert SYSTEMS.shared is not None
    found = parsed(SYSTEMS, "\n\n".join(map(str, range(count))))
    playable = [level for level in found if SYSTEMS.shared().level(level) is not None]
    assert len(playable) > 0.6 * len(found) > 0.5 * count
    check(SYSTEMS, playable)


def test_systems_of_the_examples() -> None:
    for name in SHOWN:
        rules = puzzle(str(ROOT / "examples" / f"{name}.py"))
        check(rules, parsed(rules, rules.levels))


def mixed(outside: str) -> System:
    """Values of several kinds: true equals 1, and a number is no truth value."""
    system = System(outside=outside)
    lit, number = system.flag("lit"), system.number("number", 0, 2)
    kind = system.choice("kind", [1, "a", (1, 2), None])
    system.action("as number", kind == 1, {number: If(number < 3, lit, number)})
    system.action("as truth", True, {lit: If(lit, lit, number)})
    system.action("equal", lit == number, {kind: (1, 2), number: (number - 5) % 3})
    system.action("toggle", kind != (1, 2), {lit: ~lit})
    system.action("down", number > 0, {number: number - 1, kind: If(lit, "a", None)})
    system.goal = All(kind == (1, 2), Max(lit, number) == lit)
    return system


def test_values_of_several_kinds() -> None:
    rules = puzzle_of("mixed", mixed, free(str))
    (level,) = parsed(rules, "disable")
    check(rules, [level])
    with pytest.raises(AssertionError, match="as truth: found 0, which is outside the domain"):
        by_node(rules, parsed(rules, "error"))


def test_what_has_no_form_in_javascript_is_not_played() -> None:
    def large(_: str) -> System:
        system = System()
        number = system.choice("number", [0, 2**60])
        system.goal = number == 2**60
        return system

    rules = puzzle_of("large", large, free(str))
    assert rules.shared is not None
    (level,) = parsed(rules, "x")
    assert rules.shared().level(level) is None
