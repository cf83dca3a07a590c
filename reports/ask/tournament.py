"""Tournaments: bots of a game of two sides play each other; the results."""

from collections.abc import Sequence
from dataclasses import dataclass

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.games.match import Match, match, pairing, seed_of
from puzzlemc.mc.rules.plain import FIRST, SIDES


@dataclass(frozen=True)
class Standing:
    """The record of one of the two bots: games won and played by side, turns, and time."""

    bot: str
    won: tuple[int, int]
    played: tuple[int, int]
    turns: int
    seconds: float


def game(puzzle: Puzzle, level: object, pair: tuple[str, str], seed: int, number: int) -> Match:
    """Play the game with this number, from 0. Raises ModelError for a puzzle that is no game, Refuted."""
    if puzzle.game is None:
        raise ModelError(f"{puzzle.name} is no game of two sides")
    names = pairing(pair, number)
    return match(puzzle.game.rules, level, names, puzzle.game.bots, seed_of(seed, number))


def game_of(entry: Entry, pair: tuple[str, str], seed: int, number: int) -> Match:
    """Play the game with this number from the start of a level. Raises Refuted."""
    return game(entry.puzzle, entry.level, pair, seed, number)


def standings(pair: tuple[str, str], matches: Sequence[Match]) -> tuple[Standing, Standing]:
    """The record of each of the two bots in the games with the numbers 0, 1, 2, …"""
    return _standing(pair, matches, 0), _standing(pair, matches, 1)


def _standing(pair: tuple[str, str], matches: Sequence[Match], place: int) -> Standing:
    side_of = [place if number % 2 == FIRST else 1 - place for number in range(len(matches))]
    mine = list(zip(matches, side_of, strict=True))
    played = [sum(side == each for _, side in mine) for each in SIDES]
    won = [sum(side == each == one.winner for one, side in mine) for each in SIDES]
    return Standing(
        pair[place],
        (won[0], won[1]),
        (played[0], played[1]),
        sum(one.turns[side] for one, side in mine),
        sum(one.seconds[side] for one, side in mine),
    )


def as_json(puzzle: Puzzle, pair: tuple[str, str], seed: int, games: int, matches: Sequence[Match]) -> object:
    """All records for programs; `games` is the requested number."""
    assert puzzle.game is not None
    sides = puzzle.game.sides
    return {
        "puzzle": puzzle.name,
        "seed": seed,
        "asked": games,
        "played": len(matches),
        "bots": [
            {
                "bot": each.bot,
                "won": sum(each.won),
                **{f"won_as_{sides[side]}": each.won[side] for side in SIDES},
                "turns": each.turns,
                "seconds": round(each.seconds, 4),
            }
            for each in standings(pair, matches)
        ],
        "games": [
            {
                **{sides[side]: one.bots[side] for side in SIDES},
                "winner": None if one.winner is None else sides[one.winner],
                "turns": sum(one.turns),
                "seconds": [round(seconds, 4) for seconds in one.seconds],
                "moves": list(one.moves),
            }
            for one in matches
        ],
    }


def as_text(puzzle: Puzzle, pair: tuple[str, str], matches: Sequence[Match]) -> str:
    """A table for people."""
    assert puzzle.game is not None
    heads = [f"as {side}" for side in puzzle.game.sides]
    lines = [f"{'bot':12}{'won':>10}{heads[0]:>12}{heads[1]:>12}{'turns':>10}{'ms a turn':>12}"]
    for each in standings(pair, matches):
        cells = [f"{each.won[side]}/{each.played[side]}" for side in SIDES]
        all_won = f"{sum(each.won)}/{sum(each.played)}"
        mean = f"{1000 * each.seconds / each.turns:.2f}" if each.turns else "-"
        lines.append(f"{each.bot:12}{all_won:>10}{cells[0]:>12}{cells[1]:>12}{each.turns:>10}{mean:>12}")
    if matches:
        mean_turns = sum(sum(one.turns) for one in matches) / len(matches)
        lines.append(f"{len(matches)} games, {mean_turns:.1f} turns each")
    return "\n".join(lines)
