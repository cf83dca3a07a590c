"""Games of two sides: random systems against minimax over their descriptions, draws, bots, certificates, words."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from puzzlemc.encodings.modelling.alone import Rules
from puzzlemc.encodings.modelling.language.evaluation import Evaluation
from puzzlemc.encodings.modelling.language.expressions import All, AnyOf
from puzzlemc.encodings.modelling.language.system import System
from puzzlemc.encodings.modelling.puzzle import puzzle
from puzzlemc.encodings.modelling.sides import Solver, two_sides
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.games.match import match
from puzzlemc.mc.games.strategy import prove
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.rules.plain import Stuck
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.page.game import game_report
from puzzlemc.reports.play.referee import forced
from puzzlemc.reports.play.session import Session
from puzzlemc.reports.play.words import by_force
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.modelling import Grid, Level, grid

NAMES = ("white", "black")

Cells = tuple[int, ...]


class Way(NamedTuple):
    """An action of a random game: what it tests and sets, whose it is, and who moves next if it says so."""

    tests: dict[int, int]
    sets: dict[int, int]
    adds: dict[int, int]
    by: int | None
    next: int | None


class Random(NamedTuple):
    """A random game: actions over cells of three values each, the cells that win for each side, the first side."""

    ways: list[Way]
    cells: int
    wins: tuple[dict[int, int], dict[int, int]]
    first: int
    stuck: Stuck


@st.composite
def games(draw: st.DrawFn) -> Random:
    chance = random.Random(draw(st.integers(0, 2**32)))
    cells = chance.choice([2, 3])

    def some(least: int, most: int) -> dict[int, int]:
        return {n: chance.randrange(3) for n in chance.sample(range(cells), chance.randint(least, most))}

    ways = [
        Way(some(0, 2), some(0, 1), some(0, 1), chance.choice([None, 0, 1]), chance.choice([None, None, 0, 1]))
        for _ in range(chance.randint(4, 10))
    ]
    first, second = some(2, cells), some(2, cells)
    second[0] = (first.setdefault(0, 1) + 1) % 3  # both cannot have won
    return Random(ways, cells, (first, second), chance.randrange(2), chance.choice(list(Stuck)))


def built(made: Random) -> Evaluation:
    """The random game as a system."""
    system = System(sides=2, first=made.first)
    cell = system.numbers("cell", range(made.cells), 0, 2)
    assert system.turn is not None
    for number, way in enumerate(made.ways):
        then: dict[object, object] = {cell[n]: (cell[n] + more) % 3 for n, more in way.adds.items()}
        then |= {cell[n]: value for n, value in way.sets.items()}
        if way.next is not None:
            then[system.turn] = way.next
        when = All(cell[n] == value for n, value in way.tests.items())
        system.action(f"way {number}", when, then, by=way.by)  # type: ignore[arg-type]
    first, second = ([cell[n] == value for n, value in won.items()] for won in made.wins)
    system.winner = (All(first), All(second))
    return Evaluation(system)


def minimax(made: Random) -> dict[tuple[int, Cells], tuple[int | None, int]]:
    """The winner and its fewest own turns in all positions, by rounds over them all; no winner for a draw."""
    everything: list[Cells] = [()]
    for _ in range(made.cells):
        everything = [(*cells, value) for cells in everything for value in range(3)]
    after: dict[tuple[int, Cells], list[tuple[int, Cells]]] = {}
    over: dict[tuple[int, Cells], int | None] = {}
    for turn in (0, 1):
        for cells in everything:
            won = [side for side in (0, 1) if all(cells[n] == value for n, value in made.wins[side].items())]
            after[turn, cells] = [] if won else list(replies(made, turn, cells))
            if won:
                over[turn, cells] = won[0]
            elif not after[turn, cells]:
                over[turn, cells] = {Stuck.DRAWS: None, Stuck.WINS: turn, Stuck.LOSES: 1 - turn}[made.stuck]
    found: dict[tuple[int, Cells], tuple[int | None, int]] = {}
    for side in (0, 1):
        won_within: list[set[tuple[int, Cells]]] = [set()]
        while len(won_within) == 1 or won_within[-1] != won_within[-2]:
            known = {position for position, winner in over.items() if winner == side}
            known |= won_within[-1]
            own = {p for p in after if p[0] == side and any(q in won_within[-1] for q in after[p])}
            known |= own if len(won_within) > 1 else set()
            while more := {
                p for p in after if p[0] != side and p not in known and after[p] and known.issuperset(after[p])
            }:
                known |= more
            won_within.append(known)
        for turns, positions in reversed(list(enumerate(won_within[1:]))):
            found |= dict.fromkeys(positions, (side, turns))
    return {position: found.get(position, (None, 0)) for position in after}


def replies(made: Random, turn: int, cells: Cells) -> Iterator[tuple[int, Cells]]:
    for way in made.ways:
        if way.by in (None, turn) and all(cells[n] == value for n, value in way.tests.items()):
            new = list(cells)
            for n, more in way.adds.items():
                new[n] = (cells[n] + more) % 3
            for n, value in way.sets.items():
                new[n] = value
            yield 1 - turn if way.next is None else way.next, tuple(new)


def test_winners_draws_and_turns_of_random_games_are_those_of_minimax() -> None:
    seen = Counter[object]()

    @given(games())
    @settings(max_examples=examples(120, 3000))
    def look(made: Random) -> None:
        level = built(made)
        game = two_sides(lambda found: found, ("turns",), NAMES, made.stuck)
        winner, turns = minimax(made)[made.first, (0,) * made.cells]
        found = game.decide(level, None, Budget())
        assert (found.winner, found.is_draw, found.reason) == (winner, winner is None, None)
        solver = Solver(lambda found: found, game.rules)
        by_model, by_rules = (by(level, level.start, Budget()) for by in (solver.by_model, solver.by_rules))
        assert by_model is not None
        for (turn, cells), value in minimax(made).items():
            position = (turn, *cells)
            assert (position in by_model) == (position in by_rules)
            if position in by_rules:
                assert by_model.value(position)[:2] == by_rules.value(position)[:2] == value
        assert found.proof is not None
        proved = prove(game.rules, level, found.proof.strategies)
        assert proved.winner == winner
        if winner is not None:
            assert (found.turns, proved.own_turns, proved.own_bound) == (turns, turns, turns)
        expected = [] if winner != made.first or not turns else first_moves(made, turns)
        assert sorted(game.openings(level, turns, Budget())) == expected
        if winner is not None and turns:
            short = game.decide(level, turns - 1, Budget())
            assert (short.winner, short.is_draw, short.refuted) == (None, False, turns - 1)
        seen[winner, min(turns, 3)] += 1

    look()
    assert min(seen[kind] for kind in [(None, 0), (0, 1), (1, 1), (0, 2), (1, 2)]) >= examples(1, 30), seen


def first_moves(made: Random, turns: int) -> list[str]:
    """The moves from the start after which the mover wins in one turn less."""
    values, names = minimax(made), list[str]()
    for number, way in enumerate(made.ways):
        alone = made._replace(ways=[way])
        for after in replies(alone, made.first, (0,) * made.cells):
            names += [f"way {number}"] if values[after] == (made.first, turns - 1) else []
    return sorted(names)


def naughts(board: Grid) -> System:
    """Two sides mark empty cells; a whole row, column or diagonal of a square board wins."""
    size = range(board.rows)
    system = System(sides=2, first=int(len(board.find("cross")) > len(board.find("ring"))))
    start = {place: board.sign(place) for place in board.cells}
    cell = system.choices("cell", start, ".xo")
    lines = [[(r, c) for c in size] for r in size] + [[(r, c) for r in size] for c in size]
    lines += [[(n, n) for n in size], [(n, len(size) - 1 - n) for n in size]]
    for (r, c), one in cell.items():
        for side, mark in enumerate("xo"):
            system.action(f"{r + 1},{c + 1}", one == ".", {one: mark}, by=side)
    won = [AnyOf(All(cell[place] == mark for place in line) for line in lines) for mark in "xo"]
    system.winner = (won[0], won[1])
    return system


def board(text: str) -> Level:
    (level,) = NAUGHTS.screen.parse(text, "board.naughts")
    assert isinstance(level, Level)
    return level


NAUGHTS = puzzle("naughts", naughts, grid({".": "empty", "x": "cross", "o": "ring"}), sides=NAMES, stuck="draws")
GAME = NAUGHTS.game
assert GAME is not None
EMPTY = "...\n...\n..."


def entry(text: str) -> Entry:
    return Entry("board#1", "", NAUGHTS, board(text), None)


@pytest.mark.parametrize("text", [EMPTY, "xo.\nox.\nxxo", "xox\nxxo\noxo"])
def test_a_draw_is_an_answer_with_a_certificate_and_a_report(tmp_path: Path, text: str) -> None:
    result = solve_entry(entry(text), Options())
    assert (result.verdict, result.cost, result.bound) == ("unsolvable", None, None)
    assert result.game is not None
    assert (result.game["winner"], result.game["draw"], len(result.game["line"])) == (None, True, text.count("."))
    over = "the game is over: black has no move, so it is a draw"
    assert result.reason == ("a draw: neither side can force a win" if "." in text else over)
    done = certify(entry(text), Options(), result, tmp_path / "a.cert")
    assert (done.verdict, done.checked, done.note) == ("unsolvable", True, "")
    path = tmp_path / "a.strategies"
    assert "unsolvable  proof checked by plain rules" in verify(path, own=NAUGHTS).as_text()
    report = game_report(entry(text), done)
    assert report.headline == "A draw"
    assert report.missing == []
    assert "not known" not in report.proof
    assert ("never loses" in report.proof) == ("." in text)
    # Without one of its strategies, the file does not show a draw.
    lines = path.read_text().split("\n")
    second = [number for number, line in enumerate(lines) if line.startswith("strategy")][1]
    path.write_text("\n".join([*lines[:second], "end", ""]))
    assert verify(path, own=NAUGHTS).status == "refuted"


def test_a_win_and_a_loss_have_their_turns_and_both_strategies(tmp_path: Path) -> None:
    for text, verdict, winner, turns in (
        ("x.o\n.o.\nx..", "solvable", "white", 1),
        ("x..\n.o.\n...", "unsolvable", None, None),
        ("xo.\n...\n...", "solvable", "white", 3),
        ("xo.\n.x.\n...", "unsolvable", "white", 2),
        ("xxx\noo.\n...", "unsolvable", "white", 0),
    ):
        result = solve_entry(entry(text), Options())
        assert result.game is not None
        assert (result.verdict, result.game["winner"], result.game["turns"]) == (verdict, winner, turns)
        certify(entry(text), Options(), result, tmp_path / "a.cert")
        done = verify(tmp_path / "a.strategies", own=NAUGHTS)
        assert done.status == "valid"
        assert done.certificate is not None
        is_win = verdict == "solvable"
        assert (done.certificate.cost, done.certificate.optimal) == (turns if is_win else None, is_win)
        if is_win:
            assert "shows that no win is quicker" in game_report(entry(text), result).proof


def test_a_hint_of_a_game_knows_draws(tmp_path: Path) -> None:
    (tmp_path / "wanted").write_bytes(bytes(8))
    found = forced(entry(EMPTY), GAME.rules.start(board(EMPTY)), Limits(), str(tmp_path / "wanted"), 0)
    assert found.is_decided
    assert (found.is_draw, found.winner, found.reason) == (True, None, "")
    assert GAME is not None
    level = board(EMPTY)
    said = by_force(Session(NAUGHTS, level), GAME, found).text
    assert said == f"A draw, if both sides play well: neither can force a win. {found.move} holds it; n plays it."
    assert GAME.rules.reply(level, GAME.rules.start(level), found.move) is not None


def test_bots_play_legal_moves_and_the_strong_one_never_loses_a_draw() -> None:
    level, lost, winning = board(EMPTY), 0, board("x.o\n.o.\nx..")
    for number in range(6):
        for names in (("strong", "random"), ("greedy", "strong"), ("random", "greedy")):
            played = match(GAME.rules, level, names, GAME.bots, number)
            if "strong" in names:
                assert played.winner in (None, names.index("strong"))
            else:
                lost += played.winner == 0
    assert lost < 3  # the greedy one seldom loses to chance
    assert GAME.bots["greedy"](winning, GAME.rules.start(winning), random.Random(1)) == "2,1"


def test_the_strong_bot_wins_soon_and_loses_late() -> None:
    """The black side has won in place 9: at once from place 1, or in two turns of its own from place 2."""
    system = System(sides=2)
    place = system.number("place", 0, 9)
    for name, before, after in (("soon", 0, 1), ("late", 0, 2), ("end", 1, 9), ("wait", 1, 2)):
        system.action(name, place == before, {place: after})
    for name, before, after in (("on", 2, 3), ("forced", 3, 4), ("last", 4, 9)):
        system.action(name, place == before, {place: after})
    system.winner = (False, place == 9)
    level, game = Evaluation(system), two_sides(lambda level: level, ["turns"], NAMES, Stuck.LOSES)
    assert game.bots["strong"](level, (0, 0), random.Random(1)) == "late"
    assert game.bots["strong"](level, (1, 1), random.Random(1)) == "end"


def test_a_limit_leaves_a_game_unknown() -> None:
    large = "....\n" * 4
    found = GAME.decide(board(large), None, Budget(Limits(memory=10_000)))
    assert (found.winner, found.is_draw, found.reason) == (None, False, "memory")
    result = solve_entry(entry(large), Options(timeout=0.2))
    assert (result.verdict, result.reason) == ("unknown", "timeout")


def test_a_position_that_both_sides_have_won_is_an_error() -> None:
    system = System(sides=2)
    flag = system.flag("flag")
    system.action("set", ~flag, {flag: True})
    system.winner = (flag, flag)
    level = Evaluation(system)
    game = two_sides(lambda found: found, ("turns",), NAMES, Stuck.LOSES)
    with pytest.raises(ModelError, match="both sides have won, at turn = 1, flag = True"):
        game.decide(level, None, Budget())


def test_an_outcome_that_its_strategies_do_not_show_is_refuted() -> None:
    """A draw, whose strategies show a win; a win, whose defence shows fewer turns; a win of the other side."""
    won, drawn = (GAME.decide(board(text), None, Budget()) for text in ("xo.\n...\n...", EMPTY))
    for text, wrong in (
        ("xo.\n...\n...", replace(won, is_draw=True, winner=None)),
        ("xo.\n...\n...", replace(won, winner=1)),
        ("xo.\n...\n...", replace(won, turns=4)),
        ("xo.\n...\n...", replace(won, turns=2)),
        (EMPTY, replace(drawn, is_draw=False, winner=1, turns=3)),
    ):
        game = replace(GAME, decide=lambda *_, wrong=wrong: wrong)
        given = Entry("board#1", "", replace(NAUGHTS, game=game), board(text), None)
        result = solve_entry(given, Options())
        assert (result.verdict, "refuted" in (result.reason or "")) == ("error", True)


def test_sides_and_systems_must_agree() -> None:
    with pytest.raises(ModelError, match=r"sides: found 'wb', expected two names, as \('white', 'black'\)"):
        puzzle("a", naughts, grid({".": "empty"}), sides="wb")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="stuck: found 'lost', expected one of loses, wins, draws"):
        puzzle("a", naughts, grid({".": "empty"}), sides=NAMES, stuck="lost")
    rules = Rules(lambda level: 0, lambda level, position: [], lambda level, position: False)
    for made in (None, naughts):
        with pytest.raises(ModelError, match="found rules of a game of two sides, expected a system alone"):
            puzzle("a", made, grid({".": "empty"}), rules=rules, sides=NAMES)
    for made, sides, message in (
        (
            lambda level: System(sides=2),
            None,
            r"found System\(sides=2\), expected puzzle\('a', …, sides=\(…, …\)\)",
        ),
        (lambda level: System(), NAMES, r"found System\(\), expected System\(sides=2\), since a has two sides"),
    ):
        found = puzzle("a", made, grid({".": "empty"}), sides=sides)
        (error,) = found.screen.parse("..\n..", "board.a")
        assert isinstance(error, LevelError)
        assert re.search(message, str(error))


def test_a_mistake_of_an_author_in_reach_is_an_error_with_its_place() -> None:
    """Also where the winner need not go there."""
    system = System(sides=2)
    x, won = system.number("x", 0, 3), system.flag("won")
    system.action("win", ~won, {won: True}, by=0)
    system.action("more", x <= 3, {x: x + 1})
    system.winner = (won, False)
    game = two_sides(lambda found: found, ("turns",), NAMES, Stuck.LOSES)
    with pytest.raises(ModelError, match=r"action more: found 4 for x, expected 0 to 3, at turn = \d, x = 3"):
        game.decide(Evaluation(system), None, Budget())


def test_positions_name_the_side_to_move() -> None:
    level = board("xo.\n...\n...")
    assert NAUGHTS.screen.draw(level, GAME.rules.start(level)) == "x o .\n. . .\n. . .\nturn = white"
