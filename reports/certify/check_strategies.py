"""Checks files of strategies: those of games of two sides, and those of levels with chance."""

from collections.abc import Mapping, Sequence
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.games.chance import shown
from puzzlemc.mc.games.strategy import prove
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.certify.about import is_about, level_of, named_puzzle
from puzzlemc.reports.certify.certificate import Certificate
from puzzlemc.reports.certify.strategies import StrategyFile
from puzzlemc.screens.base.errors import CertificateError


def check_strategies(
    file: StrategyFile, source: str, levels: Sequence[Entry], known: Mapping[str, Puzzle], budget: Budget
) -> Certificate:
    """Check strategies; return what they show as a certificate without a proof.

    Raises Refuted, LevelError, or what limits raise.
    """
    rules = named_puzzle(file.puzzle, source, known)
    if rules.game is None and file.asked is None:
        raise CertificateError(f"puzzle: found {file.puzzle!r}, expected a game of two sides", source=source)
    level = level_of(rules, file.level, source)
    if levels and not any(is_about(file, level, entry) for entry in levels):
        raise Refuted("the certificate is about another level")
    cost, is_least = (_of_game if file.asked is None else _of_chance)(file, source, rules, level, budget)
    return Certificate(
        id=file.id,
        title=level.title,
        puzzle=file.puzzle,
        level=file.level,
        encoding="",
        metric=rules.metrics[0],
        verdict="unsolvable" if cost is None else "solvable",
        cost=cost,
        optimal=cost is not None and is_least,
        trace=None,
        proof=None,
    )


def _of_game(
    file: StrategyFile, source: str, rules: Puzzle, level: Any, budget: Budget
) -> tuple[int | None, bool]:
    """The number of own turns in which the side to move wins, None if it does not; and whether none is less."""
    game = rules.game
    assert game is not None
    by = game.symmetric_rules if file.like else game.rules
    if by is None:
        raise CertificateError(f"positions: {file.puzzle} knows no symmetries", source=source)
    proved = prove(by, level, file.strategies)
    wins = proved.winner == game.rules.turn(level, game.rules.start(level))
    return proved.own_turns if wins else None, proved.fewest_own_turns


def _of_chance(
    file: StrategyFile, source: str, rules: Puzzle, level: Any, budget: Budget
) -> tuple[int | None, bool]:
    """The number of inputs that a question about chance takes, None if it has no solution; is none less?"""
    chance = rules.chance(level)
    if chance is None:
        raise CertificateError(f"chance: found {file.asked!r} of a level without chance", source=source)
    return shown(file.asked or "", chance.rules, level, file.strategies, budget)
