"""Fabrik: plain rules by example, compiled rules against them, forced wins against plain search, and bots."""

import csv
import random
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from places import ROOT
from strategies import fabrik_levels

from examples import examples
from puzzlemc.encodings.fabrik import bots, fast, rules
from puzzlemc.encodings.fabrik.decide import decide, openings
from puzzlemc.encodings.fabrik.puzzle import PUZZLE
from puzzlemc.encodings.fabrik.rules import (
    AXES,
    DIRECTIONS,
    GAME,
    Turn,
    has_row,
    moves,
    stones,
    turned,
    turns,
    winner,
)
from puzzlemc.encodings.fabrik.threats import Scratch, can, win_in_one, win_in_two
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.games.match import match
from puzzlemc.mc.games.strategy import Strategy, check, main_line
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.rules.plain import FIRST, SECOND
from puzzlemc.reports.ask.tournament import game, standings
from puzzlemc.screens.fabrik import BLACK, EMPTY, WHITE, Cell, Level, Position, name, named, parse

FOLDER = ROOT / "screens" / "levels" / "fabrik"


def one(text: str) -> Level:
    (level,) = parse(text, "a.fabrik")
    assert isinstance(level, Level), level
    return level


def meeting(text: str) -> set[str]:
    level = one(f"Fabrik {text.count(chr(10)) + 1} 3 black\n{text}")
    return {name(cell) for cell in rules.meeting(level, level.start)}


# The plain rules, by example.


def test_lines_of_sight_meet() -> None:
    assert meeting("# . . .\n. . . .\n. . . .\n. # . .") == {"A3", "A4", "B1", "B2", "C3", "D4"}
    assert meeting("# O . .\n. . . .\n. . . .\n. # . .") == {"A3", "A4", "B2", "C3", "D4"}  # a stone ends a line


def test_workers_on_one_line_meet_between_them() -> None:
    """The cells between them count if all are empty, cells beyond do not, and other meeting points count."""
    assert meeting(". # . #\n. . . .\n. . . .\n. . . .") == {"C1", "C2", "B3", "D3"}
    assert meeting(". # O #\n. . . .\n. . . .\n. . . .") == {"C2", "B3", "D3"}
    assert meeting("# # . .\n. . . .\n. . . .\n. . . .") == {"A2", "B2"}


def test_a_turn_may_move_a_worker_or_none() -> None:
    level = one("Fabrik 2 2 black\n# .\nX #")
    after_turn = {turn.name: after for turn, after in turns(level, level.start)}
    assert set(after_turn) == {"B1", "A1-B1/A1", "B2-B1/B2"}
    assert after_turn["A1-B1/A1"] == Position(
        frozenset({named("A1")}), frozenset({named("A2")}), frozenset({named("B1"), named("B2")}), WHITE
    )


def test_a_game_begins_with_workers_and_a_decision() -> None:
    level = Level("", "", 3, 3, EMPTY)
    position = level.start
    seen = []
    for move in ("B2", "A1", "white", "A2"):
        legal = dict(moves(level, position))
        seen.append((rules.mover(position), len(legal)))
        assert rules.after(level, position, move) == legal[move]
        position = legal[move]
    assert seen[:3] == [(BLACK, 9), (WHITE, 8), (BLACK, 2)]
    assert seen[3][0] == WHITE
    assert position.white == {named("A2")}
    assert rules.start(replace(level, moves=("B2", "A1", "white", "A2"))) == position
    for wrong in (("B2", "B2"), ("B2", "white"), ("B2", "A1", "white", "A1"), ("B2", "A1", "A2")):
        with pytest.raises(Refuted, match=f"found {wrong[-1]} as move {len(wrong)}, expected"):
            rules.start(replace(level, moves=wrong))


@pytest.mark.parametrize(
    ("text", "won"),
    [
        ("Fabrik 3 3 white\nO O O\n# # .\nX X .", BLACK),  # a row that is long enough
        ("Fabrik 3 3 white\nO . X\n# X .\nX # O", WHITE),
        ("Fabrik 4 3 white\nO O O O\n# # . .\nX X . .\n. . . .", BLACK),  # a row that is longer than needed
        ("Fabrik 3 3 white\nO O X\n# # X\nX O O", BLACK),  # a full board
        ("Fabrik 3 3 black\nO O X\n# # X\nX O O", WHITE),
        ("Fabrik 3 3 black\n# O .\nO X X\nX X #", WHITE),  # empty cells, but no line of sight to them
        ("Fabrik 3 3 black\n# . .\nO X X\nX X #", ""),
        ("Fabrik 3 3 black\n# . .\nO X X\nO X #", ""),
        ("Fabrik 3 3 white\nO O O\nX X X\n# # .", BLACK),  # two rows: that of the player who has just moved
        ("Fabrik 3 3 black\nO O O\nX X X\n# # .", WHITE),
        ("Fabrik 3 3", ""),
    ],
)
def test_a_game_ends_with_the_right_winner(text: str, won: str) -> None:
    level = one(text)
    assert winner(level, level.start) == won
    if won:
        assert not list(moves(level, level.start))


# The compiled rules.


def arrays(now: fast.State) -> list[fast.Array]:
    """Copies of the arrays of a state; the order of the workers does not matter."""
    fields = (now.board, now.counts, now.completes, now.total)
    return [np.sort(np.asarray(now.workers)), *(np.array(field) for field in fields)]


def row_of(level: Level, turn: Turn) -> tuple[int, int, int]:
    """The cells of a turn as numbers."""
    size = level.size
    source, target = turn.way or ((0, fast.NOWHERE), (0, fast.NOWHERE))
    stone, source, target = turn.stone, source, target
    return stone[0] * size + stone[1], source[0] * size + source[1], target[0] * size + target[1]


@settings(max_examples=examples(75, 400))
@given(level=fabrik_levels(turn=True), chance=st.randoms(use_true_random=False))
def test_compiled_rules_agree_with_the_plain_rules(level: Level, chance: random.Random) -> None:
    position, size = level.start, level.size
    legal = dict(turns(level, position))
    fast_turns = [fast.turn_of(size, *row) for row in fast.turns(level, position).tolist()]
    assert sorted(fast_turns, key=str) == sorted(legal, key=str)

    table, now = fast.geometry(size, level.row), fast.state(level, position)
    assert fast.has_turn(table, now) == bool(legal)
    for cell in range(size * size):
        if now.board[cell] in (fast.EMPTY, fast.WORKER):
            found = fast.find_way(table, now, cell)
            assert found == any(turn.stone == divmod(cell, size) for turn in legal)
            if found:
                moves_one = now.source != now.target
                source, target = (now.source, now.target) if moves_one else (fast.NOWHERE, fast.NOWHERE)
                assert fast.turn_of(size, cell, source, target) in legal
    if not legal:
        return
    turn = chance.choice(list(legal))
    assert turned(level, position, turn) == legal[turn]
    assert Turn.read(turn.name) == turn
    row = row_of(level, turn)
    assert can(table, now, *row)
    before, player = arrays(now), fast.player_of(position)
    completed = fast.completes_row(now, player, row[0])
    fast.move(now, *row[1:])
    fast.put(table, now, row[0], player)
    for mine, theirs in zip(arrays(now), arrays(fast.state(level, legal[turn])), strict=True):
        np.testing.assert_array_equal(mine, theirs)
    if not has_row(level, stones(position, position.turn)):
        assert completed == has_row(level, stones(legal[turn], position.turn))
    fast.take(table, now, row[0], player)
    fast.move(now, *row[:0:-1])
    for mine, theirs in zip(arrays(now), before, strict=True):
        np.testing.assert_array_equal(mine, theirs)


@given(level=fabrik_levels(most=4, turn=True), chance=st.randoms(use_true_random=False))
def test_exactly_the_listed_turns_are_legal(level: Level, chance: random.Random) -> None:
    listed = {turn.name for turn, _ in turns(level, level.start)}
    table, now = fast.geometry(level.size, level.row), fast.state(level, level.start)
    cells = rules.cells(level)
    for _ in range(50):
        source, target, stone = (
            chance.choice(sorted(level.start.workers)),
            chance.choice(cells),
            chance.choice(cells),
        )
        for turn in (Turn(stone, (source, target)), Turn(stone)):
            assert (turned(level, level.start, turn) is not None) == (turn.name in listed)
            assert can(table, now, *row_of(level, turn)) == (turn.name in listed) or source == target


def test_compiled_rules_agree_in_games_on_the_big_board() -> None:
    chance = random.Random(5)
    level = Level("", "", 11, 5, EMPTY)
    for seed in range(3):
        record = match(GAME, level, ("random", "random"), bots.BOTS, seed).moves
        for position in chance.sample(rules.record(replace(level, moves=record))[3:-1], 6):
            fast_turns = [fast.turn_of(11, *row) for row in fast.turns(level, position).tolist()]
            assert sorted(fast_turns, key=str) == sorted((turn for turn, _ in turns(level, position)), key=str)


# Forced wins.


def least(level: Level, position: Position, most: int) -> int:
    """The least number of own turns of a forced win by plain search; 0 if there is none."""

    @cache
    def followers(position: Position) -> frozenset[Position]:
        return frozenset(after for _, after in turns(level, position))

    @cache
    def won(position: Position) -> str:
        return winner(level, position)

    @cache
    def within(position: Position, number: int) -> bool:
        me = position.turn
        if any(won(after) == me for after in followers(position)):
            return True
        return number > 1 and any(
            all(won(reply) != rules.other(me) and within(reply, number - 1) for reply in followers(after))
            for after in followers(position)
        )

    return next((number for number in range(1, most + 1) if within(position, number)), 0)


@settings(max_examples=examples(20, 40), deadline=None)
@given(level=fabrik_levels(most=4, turn=True))
def test_wins_within_two_turns_agree_with_plain_search(level: Level) -> None:
    assume(level.size**2 - len(level.start.pieces) <= 8)
    assume(not winner(level, level.start))
    expected = least(level, level.start, 2)
    now, scratch, player = fast.state(level, level.start), Scratch(level.size), fast.player_of(level.start)
    assert (win_in_one(level, now, player, scratch) is not None) == (expected == 1)
    assert (win_in_two(level, now, player, scratch) is not None) == (expected > 0)


def side(player: str) -> int:
    return FIRST if player == BLACK else SECOND


def loses_within(level: Level, position: Position, most: int) -> int:
    """The least number of opponent's turns after which the player to move has lost; 0 if more than `most`."""
    me = position.turn
    after = [then for _, then in turns(level, position)]
    if any(winner(level, then) == me for then in after):
        return 0
    depths = [least(level, then, most) for then in after]
    return max(depths) if all(depths) else 0


@settings(max_examples=examples(20, 40), deadline=None)
@given(level=fabrik_levels(most=4, turn=True))
def test_verdicts_agree_with_plain_search(level: Level) -> None:
    position = level.start
    assume(level.size**2 - len(position.pieces) <= 6)
    assume(not winner(level, position))
    wins, loses = least(level, position, 4), loses_within(level, position, 4)
    assert not (wins and loses)
    for within in (1, 2, 4):
        decided = decide(level, within, Budget())
        if 0 < wins <= within:
            assert (decided.winner, decided.turns) == (side(position.turn), wins)
        elif 0 < loses <= within:
            assert (decided.winner, decided.turns) == (1 - side(position.turn), loses)
        else:
            assert (decided.winner, decided.refuted, decided.reason) == (None, within, "bound")
            continue
        assert decided.strategy is not None
        check(GAME, level, decided.strategy)
        assert decided.strategy.own_turns == decided.turns
        line = main_line(GAME, level, decided.strategy)
        end = rules.start(replace(level, moves=(*level.moves, *line)))
        assert side(winner(level, end)) == decided.winner


@settings(max_examples=examples(20, 40), deadline=None)
@given(level=fabrik_levels(most=4, turn=True))
def test_all_first_moves_of_a_win_are_found(level: Level) -> None:
    position = level.start
    assume(level.size**2 - len(position.pieces) <= 6)
    assume(not winner(level, position))
    wins = least(level, position, 3)
    assume(wins)
    expected = {
        turn.name
        for turn, then in turns(level, position)
        if winner(level, then) == position.turn
        or (wins > 1 and not winner(level, then) and loses_within(level, then, wins - 1) > 0)
    }
    assert set(openings(level, wins, Budget())) == expected


# White wins by force on a board of 11 rows.
WON = """Fabrik 11 5 white
. X . . X # # . . O .
. O . . X O X X O . .
. O . . . X . . . . O
. . . . . . . . O O X
. . . O X . . . . O .
. . . X . . . . O X X
O . . . O . O O . . X
. . . X . . . X X . O
O . . . . . . . . . .
X . . . . . . . . . .
. . . . O . . . . . ."""


def test_wrong_strategies_are_refuted() -> None:
    level = next(level for level, _ in published() if level.title == "In three turns, 1")
    decided = decide(level, 3, Budget())
    assert decided.strategy is not None
    assert (decided.winner, decided.turns) == (FIRST, 3)
    nodes = decided.strategy.nodes
    check(GAME, level, decided.strategy)
    some = next(number for number, node in enumerate(nodes) if node.replies)
    last = next(number for number, node in enumerate(nodes) if node.finishes)
    node = nodes[some]
    assert node.replies is not None
    mutants = {
        "K11 is not a legal move": {0: replace(nodes[0], move="K11")},
        "nothing is said that wins": {last: replace(nodes[last], finishes=())},
        "nothing is said that wins against": {last: replace(nodes[last], finishes=("K11", "nothing"))},
        "are two": {last: replace(nodes[last], turns=1)},
        f"3 turns, but {nodes[node.after[0]].turns}": {some: replace(node, turns=3)},
        "A1 is not a legal move": {some: replace(node, replies=("A1", *node.replies[1:]))},
        "nodes behind": {some: replace(node, replies=node.replies[1:])},
    }
    for message, changes in mutants.items():
        changed = tuple(changes.get(number, node) for number, node in enumerate(nodes))
        with pytest.raises(Refuted, match=message):
            check(GAME, level, Strategy(FIRST, True, changed))
    with pytest.raises(Refuted):
        check(GAME, level, Strategy(SECOND, True, nodes))


def test_a_limit_keeps_the_refuted_number_of_turns() -> None:
    level = one(WON)

    class ThirdTurnTimesOut(Budget):
        def check(self) -> None:
            if self.bound > 2:
                raise LimitReached("timeout")

    decided = decide(level, 3, ThirdTurnTimesOut())
    assert (decided.winner, decided.refuted, decided.reason) == (None, 2, "timeout")
    decided = decide(level, 2, Budget())
    assert (decided.winner, decided.refuted, decided.reason) == (None, 2, "bound")
    decided = decide(level, 3, Budget(Limits(seconds=0)))
    assert (decided.winner, decided.refuted, decided.reason) == (None, 0, "timeout")


# In the titles of positions that take longest, and are decided as levels, too: see test_levels.py.
LONG = re.compile(r"four turns|After a better turn")


def published() -> list[tuple[Level, dict[str, str]]]:
    found = []
    for path in sorted(FOLDER.glob("*.fabrik")):
        with path.with_suffix(".answers.tsv").open() as table:
            rows = list(csv.DictReader(table, delimiter="\t"))
        found += list(zip(parse(path.read_text(), str(path)), rows, strict=True))
    return found


@pytest.mark.parametrize(
    ("level", "answer"),
    [
        pytest.param(*one, marks=[pytest.mark.slow] * bool(LONG.search(one[0].title)), id=one[0].title)
        for one in published()
    ],
)
def test_published_positions_have_their_known_winners(level: Level, answer: dict[str, str]) -> None:
    assert level.title == answer["title"]
    decided = decide(level, int(answer["turns"] or answer["within"]), Budget(Limits(30)))
    if answer["verdict"] == "solvable":
        assert (decided.winner, decided.turns) == (side(answer["winner"]), int(answer["turns"]))
        assert decided.strategy is not None
        check(GAME, level, decided.strategy)
    else:
        assert (decided.winner, decided.reason) == (None, "bound")


def test_the_best_score_may_lose() -> None:
    """White could hold the game, but the greedy bot plays the first record."""
    lost, held = ((level, rules.record(level)) for (level, _) in published() if level.moves)
    position = lost[1][-2]
    assert held[1][-2] == position
    assert position.turn == WHITE
    scores = {turn: plain_score(lost[0], after, WHITE) for turn, after in turns(lost[0], position)}
    best = {turn.stone for turn in scores if scores[turn] == max(scores.values())}
    assert best == {Turn.read(lost[0].moves[-1]).stone}
    for seed in range(5):
        after = rules.after(lost[0], position, bots.play_greedy(lost[0], position, random.Random(seed)))
        assert decide(rules.at(lost[0], after), 2, Budget()).winner == FIRST
    assert decide(held[0], 3, Budget()).winner is None


# Bots.


def plain_score(level: Level, position: Position, player: str) -> int:
    """The score of the greedy bot, computed as the manual describes it."""

    def run(cells: frozenset[Cell], cell: Cell, step: Cell) -> int:
        length = 0
        while cell in cells:
            length += 1
            cell = cell[0] + step[0], cell[1] + step[1]
        return length

    own, theirs = stones(position, player), stones(position, rules.other(player))
    total = 0
    for sign, cells in ((1, own), (-1, theirs)):
        total += sign * sum(run(cells, cell, (-down, -right)) ** 3 for cell in cells for down, right in AXES)
    for row, column in own:
        for down, right in DIRECTIONS:
            length = run(theirs, (row + down, column + right), (down, right))
            total += sum(place**3 for place in range(1, length + 1))
    return total


@given(level=fabrik_levels(turn=True), player=st.sampled_from([BLACK, WHITE]))
def test_scores_agree_with_the_manual(level: Level, player: str) -> None:
    assert bots.score(level, level.start, player) == plain_score(level, level.start, player)


@pytest.mark.parametrize(
    ("row", "scores"),
    [
        (
            "O O O . . #",
            (36 + 9, -36 - 9),
        ),  # three in a row: 1 + 8 + 27, and each stone alone in three directions
        ("O X X X . #", (4 - 45 + 36, 45 - 4 + 1)),  # a stone that ends a run of three adds 1 + 8 + 27
    ],
)
def test_scores_of_rows_are_right(row: str, scores: tuple[int, int]) -> None:
    level = one("Fabrik 6 5 black\n" + "\n".join([row, ". . . . . #", *[". . . . . ."] * 4]))
    assert (bots.score(level, level.start, BLACK), bots.score(level, level.start, WHITE)) == scores


@settings(max_examples=examples(20, 40), deadline=None)
@given(level=fabrik_levels(turn=True), seed=st.integers(0, 100))
def test_the_greedy_bot_takes_a_best_turn(level: Level, seed: int) -> None:
    assume(not winner(level, level.start))
    player = level.start.turn
    scores = {turn.name: plain_score(level, after, player) for turn, after in turns(level, level.start)}
    assert scores[bots.play_greedy(level, level.start, random.Random(seed))] == max(scores.values())


@settings(max_examples=examples(20, 40), deadline=None)
@given(level=fabrik_levels(most=4, turn=True), seed=st.integers(0, 100))
def test_the_strong_bot_wins_if_it_can_and_leaves_no_win(level: Level, seed: int) -> None:
    assume(not winner(level, level.start))
    level = replace(level, row=max(level.row, 2))
    after = rules.after(level, level.start, bots.Strong()(level, level.start, random.Random(seed)))
    if least(level, level.start, 1):
        assert winner(level, after) == level.start.turn
    elif any(not least(level, then, 1) for _, then in turns(level, level.start)):
        assert not least(level, after, 1)


@pytest.mark.parametrize("name", bots.BOTS)
def test_the_same_seed_gives_the_same_game(name: str) -> None:
    level = Level("", "", 5, 4, EMPTY)
    games = [match(GAME, level, (name, "random"), bots.BOTS, seed) for seed in (7, 7, 8)]
    assert games[0].moves == games[1].moves != games[2].moves
    for played in games:
        end = rules.start(replace(level, moves=played.moves))
        assert side(winner(level, end)) == played.winner
        assert sum(played.turns) == len(played.moves)


def test_the_strong_bot_respects_its_limits() -> None:
    level = one(WON.replace("white", "black"))
    for bot in (bots.Strong(candidates=1), bots.Strong(seconds=0.0)):
        assert rules.after(level, level.start, bot(level, level.start, random.Random(1)))
    board = Level("", "", 5, 4, EMPTY)
    games = [match(GAME, board, ("s", "s"), {"s": bots.Strong(number)}, 3) for number in (1, 1, 64)]
    assert games[0].moves == games[1].moves != games[2].moves


def test_a_bot_that_breaks_the_rules_is_refuted() -> None:
    board = Level("", "", 5, 4, EMPTY)
    with pytest.raises(Refuted, match="cheat: Z9 is not a legal move"):
        match(GAME, board, ("random", "cheat"), {**bots.BOTS, "cheat": lambda *_: "Z9"}, 1)


def test_each_bot_beats_the_next_weaker_one() -> None:
    for better, worse in (("greedy", "random"), ("strong", "greedy")):
        level = Level("", "", 7, 4, EMPTY)
        games = [game(PUZZLE, level, (better, worse), 1, number) for number in range(20)]
        assert [each.bots for each in games] == [(better, worse), (worse, better)] * 10
        best, other = standings((better, worse), games)
        assert (best.bot, best.played, other.bot) == (better, (10, 10), worse)
        assert sum(best.won) + sum(other.won) == 20
        assert sum(best.won) >= 18
