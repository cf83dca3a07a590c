"""What a level is, as a text: equal for levels that have the same positions, turns and wins.

It has the concrete rules, not the lines that were written. So comments, names of the game, sounds and sprites do
not matter. The legend matters only as far as rules and levels use it.
"""

from collections.abc import Iterable
from functools import lru_cache

from puzzlemc.encodings.puzzlescript.domain.turn import restart_wins
from puzzlemc.screens.puzzlescript.game import Cell, Game, Level, Row, Rule


def content(level: Level) -> str:
    """The text of a level."""
    names = level.game.objects
    known = {here: " ".join(name for name in names if name in here) for here in set(level.cells)}
    start = [str(level.width), str(level.begun), str(level.won), *(known[here] for here in level.cells)]
    if level.origin and any("restart" in rule.commands for rule in level.game.rules):
        if level.game.has_chance:  # whether a restart wins may be drawn, and depends on all cells of the origin
            start += ["origin", str(level.origin.begun), *(" ".join(sorted(here)) for here in level.origin.cells)]
        else:
            start.append(f"a restart wins: {restart_wins(level)}")
    return "\n".join([_rules(level.game), *start])


@lru_cache(maxsize=32)  # levels of a game may have slices of their own
def _rules(game: Game) -> str:
    numbers = {group: number for number, group in enumerate(dict.fromkeys(rule.group for rule in game.rules))}
    lines = ["; ".join(" ".join(layer) for layer in game.layers)]
    # A message makes a difference to a win only beside one of these commands.
    has_messages = any(not {"win", "cancel"}.isdisjoint(rule.commands) for rule in game.rules)
    lines += [_rule(rule, numbers[rule.group], game, has_messages) for rule in game.rules]
    lines += [f"loops {game.loops} {game.late_loops}", f"players {_list(game.players)} {game.players_all}"]
    lines += [
        f"{win.quantifier} {_list(win.subject)} {win.subject_all} {win.on and _list(win.on)} {win.on_all}"
        for win in game.wins
    ]
    lines.append(
        f"{game.run_rules_on_level_start} {game.require_player_movement} {game.has_action} {game.has_clock}"
    )
    return "\n".join(lines)


def _rule(rule: Rule, group: int, game: Game, has_messages: bool) -> str:
    sides = [" ".join(_row(row, game) for row in side) for side in (rule.left, rule.right)]
    commands = [each for each in rule.commands if has_messages or each != "message"]
    random = " random" if rule.random else ""
    return f"{group} {rule.direction} {rule.late} {rule.rigid}{random} {' -> '.join(sides)} {' '.join(commands)}"


def _row(row: Row, game: Game) -> str:
    return f"[{' | '.join(_cell(cell, game) for cell in row)}]"


def _cell(cell: Cell, game: Game) -> str:
    if cell is None:
        return "..."
    return ", ".join(
        f"{term.movement} {_list(game.properties[term.name]) if term.name in game.properties else term.name}"
        for term in cell
    )


def _list(names: Iterable[str]) -> str:
    return "/".join(sorted(names))
