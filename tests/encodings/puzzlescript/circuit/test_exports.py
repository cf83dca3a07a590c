"""Levels as files for other tools: what the files describe steps as the plain rules do."""

import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from oracle import dijkstra
from pysat.formula import CNF
from pysat.solvers import Solver
from small_games import game, level, rule, win
from walked_levels import KINDS, drawn_levels

from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzlescript.circuit.tiles import tiles
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.reports.formats import aiger, dimacs, smv
from puzzlemc.screens.puzzlescript.game import DIRECTIONS, Level

Values = Mapping[str, bool]
Machine = Callable[
    [Values, str], Values
]  # the bits of a state and the name of a move -> the bits of the next state

PUSHING = game(
    "target / player crate wall",
    *(rule(each, f"{each} player | crate", f"{each} player | {each} crate", group=1) for each in DIRECTIONS),
    signs={"o": "target"},
    wins=[win("all", "target", "crate")],
    has_action=False,
)
SOLVABLE = level(PUSHING, "..... .PC.o .....")
UNSOLVABLE = level(PUSHING, "C...o ..P.. .....")


def by_aiger(encoded: Encoded) -> Machine:
    """The next state by a file in the binary AIGER format, read anew."""
    data = aiger.machine(encoded.model).aiger()
    head, rest = data.split(b"\n", 1)
    _, inputs, latches, _, gates, _ = map(int, head.split()[1:])
    lines = []
    for _ in range(latches + 1):
        line, rest = rest.split(b"\n", 1)
        lines.append(line)
    following = [int(line.split()[0]) for line in lines[:latches]]
    place, pairs = 0, []

    def coded() -> int:
        nonlocal place
        value = shift = 0
        while True:
            octet = rest[place]
            place += 1
            value |= (octet & 127) << shift
            shift += 7
            if octet < 128:
                return value

    for number in range(gates):
        left = 2 * (inputs + latches + number + 1)
        one = left - coded()
        pairs.append((one, one - coded()))
    names = dict(line.split(" ", 1) for line in rest[place:].decode().splitlines())
    moves = [action.name for action in encoded.model.actions]

    def step(state: Values, move: str) -> Values:
        number = moves.index(move)
        values = [False, *(bool(number >> i & 1) for i in range(inputs))]
        values += [state[names[f"l{i}"]] for i in range(latches)]
        for one, other in pairs:
            values.append((values[one >> 1] ^ bool(one & 1)) and (values[other >> 1] ^ bool(other & 1)))
        return {names[f"l{i}"]: values[v >> 1] ^ bool(v & 1) for i, v in enumerate(following)}

    return step


def by_smv(encoded: Encoded) -> Machine:
    """The next state by the text of an SMV module, whose formulas are those of Python but for their operators."""
    text = smv.write(encoded.model)
    names = re.findall(r"^  (\w+) : boolean;", text, re.MULTILINE)
    bits = dict(zip(map(str, encoded.model.bits), names, strict=True))
    found = re.search(r"action : \{stay, (.*)\};", text)
    assert found
    actions = dict(zip((each.name for each in encoded.model.actions), found[1].split(", "), strict=True))
    definitions = [(name, _python(value)) for name, value in re.findall(r"^  (\w+) := (.*);$", text, re.MULTILINE)]
    cases = {
        name: re.findall(r"action in \{(.*?)\} : (.*?);", body)
        for name, body in re.findall(r"^  next\((\w+)\) := case (.*) esac;$", text, re.MULTILINE)
    }

    def step(state: Values, move: str) -> Values:
        values = {bits[name]: value for name, value in state.items()}
        for name, value in definitions:
            values[name] = eval(value, {}, values)
        action = actions[move]
        if not values[f"can_{action}"]:
            return state
        after = {}
        for name, here in bits.items():
            chosen = [value for members, value in cases[here] if action in members.split(", ")]
            after[name] = eval(_python(chosen[0]), {}, values) if chosen else values[here]
        return after

    return step


def _python(text: str) -> str:
    for sign, word in (("!", " not "), ("&", " and "), ("|", " or "), ("TRUE", "True"), ("FALSE", "False")):
        text = text.replace(sign, word)
    return text.strip()


def walks() -> Iterator[tuple[Level, random.Random]]:
    for number, (one, _) in enumerate(drawn_levels(seed=5, count=len(KINDS))):
        yield one, random.Random(number)


@pytest.mark.parametrize("read", [by_aiger, by_smv])
def test_files_step_as_the_plain_rules_do(read: Callable[[Encoded], Machine]) -> None:
    wins = 0
    for one, chance in [(SOLVABLE, random.Random(0)), *walks()][:6]:
        encoded = tiles(one)
        machine, bits = read(encoded), encoded.model.bits
        state = initial_state(encoded.model)
        for _ in range(12):
            name = chance.choice(encoded.model.actions).name
            here = encoded.decode(state)
            expected = {step.name: step.position for step in RULES.steps(one, here)}
            after = machine({str(b): b in state for b in bits}, name)
            state = frozenset(b for b in bits if after[str(b)])
            assert encoded.decode(state) == expected.get(name, here), (one, name)
        costs = dijkstra(
            [RULES.start(one)], lambda here, one=one: ((s.position, 1) for s in RULES.steps(one, here))
        )
        for here in [each for each in costs if not RULES.solved(one, each)][:200]:
            for step in RULES.steps(one, here):
                if RULES.solved(one, step.position) and wins < 20:
                    held = frozenset(b for b in bits[:-1] if _is_at(str(b), here.cells))
                    assert encoded.decode(held) == here
                    assert machine({str(b): b in held for b in bits}, step.name)["won"]
                    wins += 1
    assert wins >= 4


def _is_at(name: str, cells: tuple[frozenset[str], ...]) -> bool:
    thing, _, cell = name.rpartition("@")
    return thing in cells[int(cell)]


@pytest.mark.parametrize(("one", "cost"), [(SOLVABLE, 2), (UNSOLVABLE, None)])
def test_clauses_have_a_solution_from_the_least_cost_on(one: Level, cost: int | None) -> None:
    for bound in (0, 1, 2, 3, 5):
        with Solver(
            "glucose4", bootstrap_with=CNF(from_string=dimacs.write(tiles(one).model, "turns", bound))
        ) as solver:
            assert solver.solve() is (cost is not None and bound >= cost)


@pytest.mark.parametrize(("one", "cost"), [(SOLVABLE, 2), (UNSOLVABLE, None)])
def test_abc_decides_the_circuit(tmp_path: Path, one: Level, cost: int | None) -> None:
    abc = shutil.which("berkeley-abc") or shutil.which("abc")
    if abc is None:
        pytest.skip("there is no abc on the PATH")
    (tmp_path / "level.aig").write_bytes(aiger.machine(tiles(one).model).aiger())

    def run(commands: str) -> str:
        return subprocess.run(
            [abc, "-c", f"read level.aig; fold; {commands}"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
        ).stdout

    if cost is None:
        assert "Property proved" in run("pdr")
    else:
        assert f"asserted in frame {cost}" in run("bmc3 -F 9")
