"""Files of strategies: a written file can be read again, and any other file is refused with its line."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import skips
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.games.explicit import arena_of_rules
from puzzlemc.mc.games.strategies import strategies_for
from puzzlemc.mc.games.strategy import Node, Strategy, prove
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.plain import FIRST, Game, Step
from puzzlemc.reports.certify.strategies import StrategyFile, lines, read, write
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.base.errors import CertificateError


def _takes(level: object, position: object) -> list[Step]:
    """The game of one heap of counters, one or two at a time; the player who takes the last one wins."""
    assert isinstance(position, tuple)
    left, turn = position
    return [Step(f"take {n}", (left - n, 1 - turn), {}) for n in (1, 2) if n <= left]


HEAP = Game(
    start=lambda level: (int(level), FIRST),
    turn=lambda _, position: position[1],
    steps=lambda level, position: iter(_takes(level, position)),
    winner=lambda _level, _position: None,
)


def example(level: str = "7") -> StrategyFile:
    arena = arena_of_rules(HEAP, level, Budget())
    return StrategyFile("a#1", "heap", level, tuple(strategies_for(HEAP, level, arena.value)))


def test_a_written_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "heap.txt"
    write(example(), path)
    found = read(path)
    assert found == example()
    assert prove(HEAP, found.level, found.strategies)[:3] == (FIRST, 5, True)


numbers = st.none() | st.integers(0, 999_999_999)
plain = st.builds(
    Node,
    numbers,
    st.none() | st.text(max_size=5),
    st.lists(st.integers(0, 999_999_999), max_size=3).map(tuple),
)
names = st.lists(st.text(max_size=5), max_size=3).map(tuple)
partial = st.builds(
    lambda turns, replies, finishes: Node(turns, None, tuple(range(len(replies))), replies, finishes),
    numbers,
    names,
    names,
).filter(lambda node: node.replies or node.finishes)
nodes = plain | partial
strategies = st.builds(Strategy, st.integers(0, 1), st.booleans(), st.lists(nodes, max_size=4).map(tuple))


texts = st.text(max_size=9)


@given(st.builds(StrategyFile, texts, texts, texts, st.lists(strategies, max_size=3).map(tuple), st.booleans()))
@settings(max_examples=examples(10, 60))
def test_any_strategies_are_read_again(tmp_path_factory: pytest.TempPathFactory, some: StrategyFile) -> None:
    path = tmp_path_factory.mktemp("any") / "some.txt"
    write(some, path)
    assert read(path) == some
    for asked in ("lucky", "surely"):
        of_chance = replace(some, like=False, asked=asked)
        write(of_chance, path)
        assert read(path) == of_chance


@pytest.mark.parametrize(
    ("number", "line", "message"),
    [
        (
            1,
            "puzzlemc-strategies 3",
            "1: found 'puzzlemc-strategies 3', expected puzzlemc-strategies 1 or puzzlemc-strategies 2",
        ),
        (2, "id 7", "2: found 'id 7', expected a text in JSON"),
        (3, "puzzle 7", "3: found 'puzzle 7', expected a text in JSON"),
        (3, "title", "3: found 'title', expected `puzzle` and a text in JSON"),
        (4, "level [7]", "4: found 'level [7]', expected a list of texts in JSON"),
        (4, "level " + "[" * 9999, "expected `level` and a list of texts in JSON"),
        (5, "positions all", "5: found 'positions all', expected `positions each` or `positions like`"),
        (6, "strategy third wins 3", "6: found 'strategy third wins 3', expected `strategy first wins N`"),
        (6, "strategy first wins 9999999999", "6: found 'strategy first wins 9999999999'"),
        (6, "strategy first wins 999999999", "expected a node"),
        (7, "moves {}", "7: found 'moves {}', expected a list of texts in JSON"),
        (8, "5 m9 1", "8: found '5 m9 1', expected one of 2 moves"),
        (8, "5 m-1 1", "8: found '5 m-1 1', expected a node: its turns"),
        (8, "5  1", "8: found '5  1', expected a node"),
        (8, "\u0665 1", "expected a node"),
        (8, "9999999999", "8: found '9999999999', expected a node"),
        (8, "5 f0 m0 1", "expected a node"),
        (8, "5 r0", "expected a node"),
        (8, "5 f2", "8: found '5 f2', expected one of 2 moves"),
        (8, "5 r7:1", "8: found '5 r7:1', expected one of 2 moves"),
        (0, "end of it", "found 'end of it', expected `strategy first wins N`"),
        (0, "end\nmore", "found 'more', expected nothing behind `end`"),
    ],
)
def test_files_without_strategies_are_refused(tmp_path: Path, number: int, line: str, message: str) -> None:
    rows = list(lines(example()))
    rows[number - 1] = line
    path = tmp_path / "heap.txt"
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    with pytest.raises(CertificateError) as caught:
        read(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_a_truncated_file_is_refused(tmp_path: Path) -> None:
    text = "".join(line + "\n" for line in lines(example()))
    path = tmp_path / "heap.txt"
    for length in range(0, len(text), 7):
        path.write_text(text[:length], encoding="utf-8")
        with pytest.raises(CertificateError):
            read(path)


def test_other_bytes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "heap.txt"
    with pytest.raises(CertificateError, match="cannot be read"):
        read(path)
    path.write_bytes(b"puzzlemc-strategies 1\n\xff")
    with pytest.raises(CertificateError, match=r"found byte 0xff, which is no UTF-8"):
        read(path)


def test_a_large_file_is_not_read_completely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "heap.txt"
    write(example(), path)
    monkeypatch.setattr("puzzlemc.reports.certify.strategies.MOST_BYTES", 100)
    with pytest.raises(CertificateError, match="more than 100 bytes"):
        read(path)


def test_every_changed_digit_is_refused_or_harmless(tmp_path: Path) -> None:
    """For each new digit, the strategies still prove their claims, or the file is refused."""
    text = "".join(line + "\n" for line in lines(example()))
    start = text.index("strategy")
    path = tmp_path / "heap.txt"
    refused = 0
    for place in range(start, len(text)):
        if not text[place].isdigit():
            continue
        for digit in "01239":
            if digit == text[place]:
                continue
            path.write_text(text[:place] + digit + text[place + 1 :], encoding="utf-8")
            try:
                found = read(path)
                proved = prove(HEAP, found.level, found.strategies)
            except (CertificateError, Refuted):
                refused += 1
            else:
                assert proved.winner == FIRST
                assert proved.turns is not None
                assert proved.turns >= 5
                assert proved.turns == 5 or not proved.exact
    assert refused > 100


def test_the_text_has_the_documented_format(tmp_path: Path) -> None:
    text = list(lines(example("1")))
    assert text[:4] == ["puzzlemc-strategies 1", 'id "a#1"', 'puzzle "heap"', f"level {json.dumps(['1'])}"]
    assert text[4] == "positions each"
    assert text[5:] == [
        "strategy first wins 2",
        'moves ["take 1"]',
        "1 m0 1",
        "0",
        "strategy second survives 1",
        "moves []",
        "0",
        "end",
    ]


@pytest.mark.parametrize(
    ("strategies", "cost", "optimal"),
    [
        ((skips.FAST,), 3, False),
        ((skips.FAST, skips.TWO_TURNS), 3, False),
        ((skips.FAST, skips.ONE_OWN_TURN), 3, False),
        ((skips.SLOW,), 2, False),
        ((skips.SLOW, skips.TWO_TURNS), 2, False),
        ((skips.SLOW, skips.ONE_OWN_TURN), 2, True),
    ],
)
def test_own_turns_are_called_optimal_only_if_that_is_proved(
    tmp_path: Path, strategies: tuple[Strategy, ...], cost: int, optimal: bool
) -> None:
    """The fewest turns of both sides are three, all own turns; two own turns are enough."""
    path = tmp_path / "a.strategies"
    write(StrategyFile("skips#1", "skips", "skips", strategies), path)
    done = verify(path, own=skips.puzzle(skips.SLOW))
    assert done.status == "valid", done.reason
    assert done.certificate is not None
    assert (done.certificate.cost, done.certificate.optimal) == (cost, optimal)


@pytest.mark.parametrize("strategy", [skips.FAST, skips.SLOW])
def test_the_cost_of_a_solution_is_that_of_its_own_turns(strategy: Strategy) -> None:
    entry = Entry("skips#1", "", skips.puzzle(strategy), skips.Level(), None)
    result = solve_entry(entry, Options())
    assert (result.verdict, result.cost, result.checked) == ("solvable", strategy.own_turns, True)
