"""What a page knows of positions, read by node: all positions of many levels, against the plain rules."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import log2
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from plain_positions import Searched, searched

from examples import examples
from puzzlemc.encodings.puzzles import load
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.graph.paths import FAR
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.reports.positions import coded
from puzzlemc.reports.positions import explored as positions
from puzzlemc.reports.positions.best_moves import best_moves
from puzzlemc.reports.positions.explored import Explored, explored
from puzzlemc.reports.positions.prefix_code import codewords, lengths
from puzzlemc.reports.share import table

ROOT = Path(__file__).parents[3]
READER = ROOT / "reports" / "share" / "known.js"
# For each level: its data, and the key and the moves of each position that is asked for.
ASK = """
let text = ""
for await (const part of process.stdin) text += part
const { script, levels } = JSON.parse(text)
const { known } = await import("data:text/javascript," + encodeURIComponent(script))
const answers = await Promise.all(levels.map(async ([data, asked]) => {
  const reader = await known(data)
  return asked.map(([key, names]) => {
    const { lost, best } = reader.value(key, names.map(name => ({ name })))
    return lost ? -1 : best
  })
}))
console.log(JSON.stringify(answers))
"""


def faults(of: Searched, answers: dict[int, int]) -> Iterator[str]:
    """Yield what is wrong in answers by the number of a position: -1 for lost, or the place of a best move."""
    for here, answer in answers.items():
        if (answer < 0) != (here not in of.least):
            yield f"position {here}: lost or not"
            continue
        if answer < 0:
            continue
        at, paid, seen = here, 0, set()
        while not of.solved[at]:
            if at in seen or answers[at] < 0:
                yield f"position {here}: best moves lead in a circle, or to a lost position"
                break
            seen.add(at)
            _, after, cost = of.steps[at][answers[at]]
            at, paid = after, paid + cost
        else:
            if paid != of.least[here][0]:
                yield f"position {here}: best moves cost {paid}, a solution {of.least[here][0]}"


@dataclass
class Asked:
    """A level as it is given to node: its data, and the questions about all positions that are not solved."""

    data: dict[str, Any]
    of: Searched
    numbers: list[int]
    questions: list[Any]


def asked(level: Explored, *, numbers: bool = False) -> Asked:
    """Ask for all positions, with their moves in the order of the plain rules."""
    of = searched(level.puzzle, level.level, level.metric)
    assert len(of.number) == len(level)
    keys = [f"é{here}" for here in range(len(level))]
    if numbers:
        for number, position in enumerate(level.positions()):
            keys[of.number[position]] = str(number)
    data = table.known(level, None if numbers else lambda _, position: keys[of.number[position]])
    assert data is not None
    unsolved = [here for here, holds in enumerate(of.solved) if not holds]
    names = [[name for name, _, _ in row] for row in of.steps]
    return Asked(data, of, unsolved, [[keys[here], names[here]] for here in unsolved])


def answered(levels: list[Asked]) -> list[dict[int, int]]:
    """The answers of the reader, by the numbers of positions."""
    if shutil.which("node") is None:
        pytest.skip("there is no node on the PATH")
    question = {"script": READER.read_text("utf-8"), "levels": [[each.data, each.questions] for each in levels]}
    command = ["node", "--input-type=module", "-e", ASK]
    done = subprocess.run(
        command, input=json.dumps(question), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    return [dict(zip(each.numbers, row, strict=True)) for each, row in zip(levels, answers, strict=True)]


def test_every_position_of_many_levels(small: list[Explored]) -> None:
    assert len(small) >= 30
    assert len({level.puzzle.name for level in small}) >= 8
    chosen = [(level, place % 2 == 1) for place, level in enumerate(small)]
    chosen += [(level, not numbers) for level, numbers in chosen[: examples(0, len(chosen))]]
    questions = [asked(level, numbers=numbers) for level, numbers in chosen]
    assert {(each.data["kind"], bool(each.data.get("filter"))) for each in questions} == {
        ("list", False),
        ("function", False),
        ("function", True),
    }
    lost = live = 0
    for question, answers in zip(questions, answered(questions), strict=True):
        assert list(faults(question.of, answers)) == []
        lost += sum(answer < 0 for answer in answers.values())
        live += sum(answer >= 0 for answer in answers.values())
    assert lost > examples(1000, 2000)
    assert live > examples(1000, 2000)


def test_one_wrong_value_is_found(small: list[Explored], monkeypatch: pytest.MonkeyPatch) -> None:
    level = max((each for each in small if each.puzzle.name == "sokoban"), key=len)
    found, forth = best_moves(level), level.graph.forth
    live, lost = ~level.solved & ~found.lost, found.lost
    losing = np.flatnonzero(live[level.sources] & lost[forth.other])
    circling = np.flatnonzero(
        live[level.sources] & ~found.best & ~lost[forth.other] & (level.costs[forth.action] == 0)
    )
    forged = []
    for edge in (losing[0], losing[-1], circling[0], circling[-1]):
        best = found.best.copy()
        best[forth.at(int(level.sources[edge]))] = False
        best[edge] = True
        forged.append(replace(found, best=best))
    for number, left in ((np.flatnonzero(live)[-1], FAR), (np.flatnonzero(lost)[0], 3)):
        best = found.best.copy()
        best[forth.at(int(number))] = left != FAR
        changed = found.left.copy()
        changed[number] = left
        forged.append(replace(found, best=best, left=changed))
    questions = [asked(level)]
    for each in forged:
        monkeypatch.setattr(table, "best_moves", lambda _, each=each: each)
        questions.append(asked(level))
    right, *wrong = [
        list(faults(question.of, answers))
        for question, answers in zip(questions, answered(questions), strict=True)
    ]
    assert right == []
    assert all(wrong)
    assert sum("circle" in " ".join(each) for each in wrong) >= 4


def test_edges_are_looked_at_in_parts(small: list[Explored], monkeypatch: pytest.MonkeyPatch) -> None:
    for level in small[-8:]:
        whole = best_moves(level)
        names = table.by_names(level, whole)
        monkeypatch.setattr(positions, "PART", 3)
        assert len(list(level.parts())) > 1
        edges = np.concatenate([np.arange(part.start, part.stop) for part in level.parts()])
        assert edges.tolist() == list(range(len(level.sources)))
        found = best_moves(level)
        assert (found.places == whole.places).all()
        assert (found.best == whole.best).all()
        assert (table.by_names(level, whole).context == names.context).all()
        monkeypatch.undo()


def test_limits_are_kept(small: list[Explored], monkeypatch: pytest.MonkeyPatch) -> None:
    (entry,) = load(str(ROOT / "screens/levels/sokoban/first_steps.xsb#4"))
    for reason, limits, most in (("memory", Limits(60.0, 1 << 10), 1000), ("timeout", Limits(0.0, GIB), 1000)):
        with pytest.raises(LimitReached, match=reason):
            explored(entry, "pushes", Budget(limits), most)
    with pytest.raises(LimitReached, match="more than 100 positions"):
        explored(entry, "pushes", Budget(Limits(60.0, GIB)), 100)
    level = explored(entry, "pushes", Budget(Limits(60.0, GIB)))
    budget = Budget(Limits(60.0, GIB))
    budget.cancel()
    assert table.known(replace(level, budget=budget), lambda *_: "") is None
    monkeypatch.setattr(coded, "BYTES_PER_BIT", GIB)
    assert table.known(level, lambda _, position: str(position)) is None


def test_positions_are_decoded_in_order(small: list[Explored]) -> None:
    for level in small[:12]:
        decoded = [level.encoded.decode(level.graph.state(number)) for number in range(len(level))]
        assert list(level.positions()) == decoded


def test_equal_keys_are_refused(small: list[Explored]) -> None:
    with pytest.raises(Refuted, match="same key"):
        table.known(small[0], lambda *_: "same")


def test_prefix_codes() -> None:
    counts = {0: 40, 3: 30, 1: 20, 7: 10, 5: 0}
    code = codewords(lengths(counts))
    assert code == {0: "0", 3: "10", 1: "110", 7: "111"}
    assert codewords(lengths({4: 2})) == {4: ""}
    assert codewords(lengths({})) == {}
    for seed in range(20):
        random = Random(seed)
        counts = {symbol: random.randint(1, 1000) for symbol in range(random.randint(2, 40))}
        code = codewords(lengths(counts))
        words = sorted(code.values())
        assert code.keys() == counts.keys()
        assert sum(2.0 ** -len(word) for word in words) == 1
        assert not any(other.startswith(word) for word, other in pairwise(words))
        bits = sum(len(code[symbol]) * count for symbol, count in counts.items())
        entropy = -sum(count * log2(count / sum(counts.values())) for count in counts.values())
        assert entropy <= bits < entropy + sum(counts.values())
