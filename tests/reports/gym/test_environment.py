"""Puzzles as environments of Gymnasium: its own checker, plays by the plain rules, exact distances, errors."""

import doctest
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from command import hard
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT

import puzzlemc

gymnasium = pytest.importorskip("gymnasium")

import numpy as np  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

from puzzlemc.gym import PuzzleEnv  # noqa: E402
from puzzlemc.mc.errors import Refuted  # noqa: E402
from puzzlemc.reports.api.positions import Position  # noqa: E402
from puzzlemc.reports.gym.registration import register  # noqa: E402
from puzzlemc.reports.gym.table import Table  # noqa: E402

LEVELS = ROOT / "screens" / "levels"
EXAMPLES = ROOT / "examples"
SMALL = """
#######
#@    #
# $ . #
# $ . #
#     #
#######
Title: Two

#####
#@$.#
#####
Title: One
"""
TILES = "Tetravex 2\n2 1 2 1\n3 1 1 1\n1 3 0 3\n1 3 0 0\n"
ENDS = ("", "Swap\n4 1\n2 3\n", "Put\n0 0\n0 0\n")
OWN: dict[str, tuple[str, dict[str, Any]]] = {
    "sokoban": (
        "puzzlemc/Sokoban-v0",
        {"levels": [f"{LEVELS / 'sokoban' / 'first_steps.xsb'}#{n}" for n in (2, 3)]},
    ),
    "folding": ("puzzlemc/Folding-v0", {"levels": f"{LEVELS / 'folding' / 'first_folds.fold'}#3"}),
    "tetravex": ("puzzlemc/Tetravex-v0", {"levels": [puzzlemc.Level(TILES + end, "tetravex") for end in ENDS]}),
    "puzzlescript": ("puzzlemc/Puzzlescript-v0", {"levels": f"{LEVELS / 'puzzlescript' / 'shaft.txt'}#2"}),
    "pddl": ("puzzlemc/Pddl-v0", {"levels": LEVELS / "pddl" / "ferry.pddl"}),
    "system on a board": ("puzzlemc/Puzzle-v0", {"levels": f"{EXAMPLES / 'glide.py'}#1", "puzzle": "glide.py"}),
    "system without a board": ("puzzlemc/Puzzle-v0", {"levels": EXAMPLES / "jugs.py", "puzzle": "jugs.py"}),
}
RULES = """
from puzzlemc.modelling import Rules, grid, puzzle

def moves(board, place):
    for way, there in board.beside(place).items():
        if not board.has(there, "wall"):
            yield way, there

PUZZLE = puzzle(
    "maze", levels=grid({"#": "wall", ".": "floor", "@": "man on floor", "!": "door on floor"}), suffix=".maze",
    rules=Rules(lambda board: board.one("man"), moves, lambda board, place: board.has(place, "door")),
    show=lambda board, place: {"man": [place]},
)
LEVELS = "@..\\n.#.\\n..!"
"""


def made(name: str, **more: Any) -> Any:
    id, options = OWN[name]
    if "puzzle" in options:
        options = options | {"puzzle": str(EXAMPLES / options["puzzle"])}
    return gymnasium.make(id, **options, **more).unwrapped


@cache
def exact(name: str) -> Any:
    """An environment with exact distances that tests share."""
    return made(name, exact=True)


@pytest.mark.parametrize("name", OWN)
def test_the_checker_of_gymnasium_has_nothing_to_say(name: str) -> None:
    check_env(made(name))


def test_the_checker_has_nothing_to_say_about_exact_distances() -> None:
    check_env(exact("sokoban"))


def test_names_are_registered_once() -> None:
    register()
    assert {name for name, _ in OWN.values()} <= set(gymnasium.registry)
    script = (
        "import gymnasium\n"
        "env = gymnasium.make('puzzlemc.gym:puzzlemc/Sokoban-v0', "
        f"levels={str(LEVELS / 'sokoban' / 'first_steps.xsb')!r})\n"
        "print(env.reset(seed=3)[0].sum())\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=False
    )
    assert int(done.stdout) > 10, done.stderr


def played(env: Any, number: int, choices: list[int]) -> None:
    """Play a level, and compare each step with the plain rules, and distances with their definition."""
    level = env.levels[number]
    puzzle, built = level.puzzle, level._built
    rules, action = puzzle.rules, puzzle.display.cells(built).action
    observation, info = env.reset(options={"level": number})
    position = level.start
    for choice in choices:
        legal = {action(step.name): step for step in rules.steps(built, position.value)}
        assert {env.actions[place] for place in np.flatnonzero(info["action_mask"])} == set(legal)
        shown = position.cells
        assert int(observation.sum()) == sum(map(len, shown.values()))
        for plane, kind in zip(observation, env.kinds, strict=True):
            cells = [(row + 1, column + 1) for row, column in zip(*np.nonzero(plane), strict=True)]
            assert cells == sorted(shown.get(kind, []))
        name = env.actions[choice % len(env.actions)]
        before = info
        observation, reward, terminated, truncated, info = env.step(choice % len(env.actions))
        assert not truncated
        if name not in legal:
            assert (reward, info.get("distance")) == (0.0, before.get("distance"))
            continue
        position = Position(level._entry, legal[name].position)
        assert terminated == (position.solved or not position.neighbours)
        if "distance" not in info:
            assert reward == position.solved
        elif not before["lost"] and not info["lost"]:
            assert reward == before["distance"] - info["distance"] + position.solved
            assert before["distance"] <= info["distance"] + legal[name].costs[puzzle.metrics[0]]
        else:
            assert reward <= 0
            assert info["lost"]
        if terminated:
            return


@pytest.mark.parametrize("name", OWN)
@settings(max_examples=10)
@given(data=st.data())
def test_plays_are_those_of_the_plain_rules(name: str, data: st.DataObject) -> None:
    env = exact(name)
    number = data.draw(st.integers(0, len(env.levels) - 1))
    played(env, number, data.draw(st.lists(st.integers(0, len(env.actions) - 1), max_size=25)))


@pytest.mark.parametrize("metric", ["pushes", "moves"])
def test_distances_are_the_costs_that_an_engine_finds(metric: str) -> None:
    level = puzzlemc.Level(SMALL, "sokoban")
    env = PuzzleEnv(level, exact=True, metric=metric)
    draw = np.random.default_rng(2)
    asked: list[tuple[float, puzzlemc.Level]] = []
    for _ in range(6):
        _, info = env.reset()
        position = level.start
        for _ in range(12):
            place = int(draw.choice(np.flatnonzero(info["action_mask"])))
            position = next(
                after for move, after in position.neighbours.items() if "lurd".index(move.lower()) == place
            )
            _, _, ended, _, info = env.step(place)
            if ended:
                break
        asked.append((info["distance"], puzzlemc.Level(position.text, "sokoban")))
    results = puzzlemc.solve_all([each for _, each in asked], metric=metric, jobs=1)
    found = [float("inf") if each.cost is None else each.cost for each in results]
    assert found == [distance for distance, _ in asked]
    assert len(set(found)) > 2
    assert float("inf") in found


def test_a_step_that_the_table_lacks_refutes_it() -> None:
    """The first step of a position stood for it."""
    first, some = np.array([0, 2, 2]), np.array([1, 0], np.int32)
    table = Table(["down", "left", "up"], first, some, np.array([0, 1], np.int32), some)
    assert [table.step(0, "down"), table.step(0, "left")] == [1, 0]
    for position, move in [(0, "up"), (0, "right"), (1, "down")]:
        with pytest.raises(Refuted, match=f"a step '{move}'"):
            table.step(position, move)


def test_the_best_moves_lead_down_to_a_solution() -> None:
    env = PuzzleEnv(puzzlemc.Level(SMALL, "sokoban"), exact=True, metric="moves", discount=0.9)
    _, info = env.reset()
    cost = puzzlemc.solve(env.levels[0], metric="moves").cost
    total = 0.0
    for number in range(int(info["distance"])):
        before = info["distance"]
        for place in np.flatnonzero(info["action_mask"]):
            kept = env._at
            _, reward, ended, _, after = env.step(int(place))
            if after["distance"] < before:
                break
            env._at = kept
        info = after
        assert reward == pytest.approx(ended + before - 0.9 * info["distance"])
        total += 0.9**number * (reward - ended)
    assert ended
    assert number + 1 == cost
    assert total == pytest.approx(cost)  # of a potential, whatever the way


def test_the_same_seed_draws_the_same_levels() -> None:
    def drawn(seed: int) -> list[int]:
        env = PuzzleEnv(LEVELS / "sokoban" / "first_steps.xsb")
        env.reset(seed=seed)
        return [env.reset()[1]["level"] for _ in range(20)]

    assert drawn(5) == drawn(5) != drawn(6)
    assert len(set(drawn(5))) > 5


def test_an_environment_is_copied_in_the_middle_of_a_play() -> None:
    env = PuzzleEnv(puzzlemc.Level(SMALL, "sokoban"), exact=True)
    env.reset()
    env.step(2)
    copies = [deepcopy(env), pickle.loads(pickle.dumps(env))]
    moved = [env.step(3), env.step(3)][1]
    for each in copies:
        each.step(3)
        observation, *others, info = each.step(3)
        assert np.array_equal(observation, moved[0])
        assert (others, info["distance"]) == (list(moved[1:4]), moved[4]["distance"])
    assert copies[0]._game.table is env._game.table


def test_levels_of_several_sizes_have_arrays_of_one_size() -> None:
    env = PuzzleEnv([puzzlemc.Level(text, "sokoban") for text in SMALL.strip().split("\n\n")])
    assert env.observation_space.shape == (4, 6, 7)
    observation, info = env.reset(options={"level": 1})
    assert (info["level"], int(observation.sum())) == (1, 12 + 3)
    assert not observation[:, 3:].any()
    assert not observation[:, :, 5:].any()
    _, reward, terminated, truncated, info = env.step(2)
    assert (reward, terminated, truncated, info["action_mask"].tolist()) == (1.0, True, False, [0, 0, 0, 0])


def test_an_illegal_action_changes_nothing_and_counts_as_a_step() -> None:
    env = PuzzleEnv(puzzlemc.Level(SMALL, "sokoban"), max_steps=2)
    first, _ = env.reset()
    assert np.array_equal(first, env.step(0)[0])
    observation, reward, terminated, truncated, _ = env.step(1)
    assert np.array_equal(first, observation)
    assert (reward, terminated, truncated) == (0.0, False, True)


def test_rules_alone_have_the_actions_that_are_met(tmp_path: Path) -> None:
    path = tmp_path / "maze.py"
    path.write_text(RULES, encoding="utf-8")
    env = PuzzleEnv(path, str(path))
    assert set(env.actions) == {"left", "right", "up", "down"}
    check_env(gymnasium.make("puzzlemc/Puzzle-v0", levels=path, puzzle=str(path)).unwrapped)
    shaped = PuzzleEnv(path, str(path), exact=True)
    _, info = shaped.reset()
    assert info["distance"] == 4.0
    played(shaped, 0, [shaped.actions.index(move) for move in ("right", "right", "down", "up", "down", "down")])


def test_positions_are_drawn() -> None:
    level = puzzlemc.Level(SMALL, "sokoban")
    assert PuzzleEnv(level).render() is None
    env = PuzzleEnv(level, render_mode="ansi")
    env.reset()
    env.step(2)
    assert env.render() == level.neighbours["r"].text
    env = PuzzleEnv(level, render_mode="rgb_array")
    env.reset()
    first = env.render()
    env.step(2)
    second = env.render()
    assert (first.shape, first.dtype) == ((6 * 32, 7 * 32, 3), np.uint8)
    changed = np.nonzero((first != second).any(axis=2))
    assert {int(row) // 32 for row in changed[0]} == {1}
    assert {int(column) // 32 for column in changed[1]} == {1, 2}


def test_vector_environments_run_in_processes_of_their_own() -> None:
    script = (
        "import gymnasium, puzzlemc\n"
        "if __name__ == '__main__':\n"
        f"    levels = puzzlemc.load({str(LEVELS / 'sokoban' / 'first_steps.xsb')!r})[:3]\n"
        "    many = gymnasium.make_vec(\n"
        "        'puzzlemc.gym:puzzlemc/Sokoban-v0', 2, 'async', levels=levels, exact=True)\n"
        "    many.reset(seed=1)\n"
        "    for _ in range(20):\n"
        "        observations, *_, info = many.step(many.action_space.sample())\n"
        "    print(observations.shape, info['distance'].shape)\n"
        "    many.close()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout == "(2, 4, 6, 8) (2,)\n", done.stderr


GOOD = puzzlemc.Level(SMALL, "sokoban")
WRONG: dict[str, Callable[[], object]] = {
    "levels: found none, expected levels": lambda: PuzzleEnv([]),
    "levels: found 3, expected": lambda: PuzzleEnv(3),  # type: ignore[arg-type]
    "fabrik is a game of two sides, expected a puzzle for one player": lambda: PuzzleEnv(LEVELS / "fabrik"),
    "positions of factorio are shown as text, expected things on cells": lambda: PuzzleEnv(LEVELS / "factorio"),
    "found a level with chance": lambda: PuzzleEnv(f"{ROOT / 'tests' / 'chance_games' / 'goose.txt'}#2"),
    "found a level that is solved at its start": lambda: PuzzleEnv(puzzlemc.Level("####\n#@*#\n####", "sokoban")),
    "metric: found 'push' of sokoban, expected one of pushes, moves": lambda: PuzzleEnv(
        GOOD, exact=True, metric="push"
    ),
    "discount: found 2, expected a number above 0, at most 1": lambda: PuzzleEnv(GOOD, discount=2),
    "render_mode: found 'human', expected one of ansi, rgb_array": lambda: PuzzleEnv(GOOD, render_mode="human"),
    "step: found no level that is played, expected reset() first": lambda: PuzzleEnv(GOOD).step(0),
    "options: found 'stage', expected 'level'": lambda: PuzzleEnv(GOOD).reset(options={"stage": 1}),
    "options: found level 1, expected 0 to 0": lambda: PuzzleEnv(GOOD).reset(options={"level": 1}),
    "max_steps: found 0, expected a whole number from 1": lambda: PuzzleEnv(GOOD, max_steps=0),
}


@pytest.mark.parametrize("message", WRONG)
def test_what_is_no_environment_is_named(message: str) -> None:
    with pytest.raises(puzzlemc.ModelError, match=re.escape(message)):
        WRONG[message]()


def test_too_many_positions_for_distances_are_an_error() -> None:
    env = PuzzleEnv(puzzlemc.Level(hard(8), "sokoban"), exact=True, timeout=1)
    with pytest.raises((puzzlemc.ModelError, puzzlemc.LimitReached)):
        env.reset()


def test_the_page_has_the_output_of_its_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / "gym.md").read_text(encoding="utf-8").replace("```", "")
    parsed = doctest.DocTestParser().get_doctest(text, {}, "gym.md", "gym.md", 0)
    assert len(parsed.examples) > 5
    assert doctest.DocTestRunner(verbose=False).run(parsed).failed == 0


def test_without_gymnasium_the_import_says_what_installs_it() -> None:
    script = (
        "import importlib.util as u; real = u.find_spec\n"
        "u.find_spec = lambda name, *more: None if name == 'gymnasium' else real(name, *more)\n"
        "import puzzlemc.gym\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert re.search(r"ImportError: puzzlemc\.gym needs Gymnasium: pip install .*gym\]", done.stderr), done.stderr
