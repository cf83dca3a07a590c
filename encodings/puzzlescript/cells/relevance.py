"""Objects that a proof may leave out, since they make no difference to the others, nor to winning.

If no rule that may apply (see `ways`) wins, no restart does, and a win condition can never hold, no object makes a
difference. Otherwise layers are kept or ignored under these conditions:

1. No rule that may apply has `again` or is rigid, and there are no loops.
2. Win conditions are of kept layers; players are, too, if a turn requires that one moves. If a player is several
   objects together, all their layers are kept, or none.
3. A rule that may apply and is about an ignored layer has no commands, and changes no kept layer. A checkpoint is
   no command here, since it decides no turn. Neither is a message, unless a rule that may apply has `win`, which
   does not win beside a message.

*So turns from two positions with the same objects of kept layers end in the same way, with the same objects of
kept layers.* By 3, the matches of the rules that change kept layers or have commands depend on kept layers only.
An object blocks objects of its own layer only. Groups and movement are repeated as long as anything changes: if a
pass has changed ignored layers only, the next ones leave the kept layers, and queue the same commands.

All of this needs that a cell has at most one object of each layer, at the start and on right sides.
"""

from collections.abc import Iterator, Sequence

from puzzlemc.encodings.puzzlescript.cells.compilation import Change, movements, restart_wins
from puzzlemc.encodings.puzzlescript.cells.ways import Facts, cells_of_rows, facts
from puzzlemc.encodings.puzzlescript.domain.position import Cells
from puzzlemc.screens.puzzlescript.game import Level, Win


def ignored_objects(level: Level, start: Cells, named: frozenset[str]) -> frozenset[str]:
    """The objects of ignored layers, if the layers of these named objects are kept. As many as possible."""
    game, found = level.game, facts(level, start)
    if found is None:
        return frozenset()
    if not restart_wins(level) and not _can_win(found, start):
        return frozenset(game.objects) - named
    if game.loops or game.late_loops or any(rule.rigid or "again" in rule.commands for rule, _ in found.rules):
        return frozenset()
    names = found.made.names
    players = {names.layer[name] for name in game.players}
    kept = {names.layer[name] for name in named} | (players if game.require_player_movement else set())
    for win in game.wins:
        kept |= {names.layer[name] for name in win.subject | (win.on or frozenset())}
    wins = any("win" in rule.commands for rule, _ in found.rules)
    silent = {"checkpoint"} if wins else {"checkpoint", "message"}
    rules = [(bool(set(rule.commands) - silent), list(cells_of_rows(rows))) for rule, rows in found.rules]
    is_stable = False
    while not is_stable:
        is_stable = True
        if game.players_all and not players.isdisjoint(kept):
            kept |= players
        for has_commands, cells in rules:
            about = {layer for cell in cells for layer in _about(cell, names.layers)}
            changes = any(not _leaves(cell, layer, names.layers[layer]) for cell in cells for layer in kept)
            if not about <= kept and (has_commands or changes):
                kept |= about
                is_stable = False
    return frozenset(name for name in game.objects if names.layer[name] not in kept)


def _can_win(found: Facts, start: Cells) -> bool:
    """Can a rule that may apply win, or can each win condition hold?

    An object that stays is where it is at the start. Each other one that may be somewhere may be anywhere.
    """
    if any("win" in rule.commands for rule, _ in found.rules):
        return True
    objects = {name: number for name, number in found.made.names.objects.items() if found.possible >> number & 1}
    elsewhere = {name for name, number in objects.items() if number not in found.staying}
    sure = [here - elsewhere for here in start]
    wins = found.level.game.wins
    return bool(wins) and all(_can_hold(win, sure, [here | elsewhere for here in sure]) for win in wins)


def _can_hold(win: Win, sure: Sequence[frozenset[str]], may: Sequence[frozenset[str]]) -> bool:
    """Can a win condition hold? Each cell has the sure objects, and none but those that it may have."""

    def has(here: frozenset[str], objects: frozenset[str] | None, all_of_them: bool) -> bool:
        return objects is None or (objects <= here if all_of_them else not objects.isdisjoint(here))

    subject, on = (win.subject, win.subject_all), (win.on, win.on_all)
    both = list(zip(sure, may, strict=True))
    if win.quantifier == "all":
        return all(has(at_most, *on) for at_least, at_most in both if has(at_least, *subject))
    if win.quantifier == "some":
        return any(has(at_most, *subject) and has(at_most, *on) for at_most in may)
    return not any(has(at_least, *subject) and has(at_least, *on) for at_least in sure)


def _about(cell: Change, layers: Sequence[int]) -> Iterator[int]:
    """Yield the layers that the condition of a cell is about."""
    for layer, mask in enumerate(layers):
        moving = (cell.moving | cell.still) & movements(layer)
        if moving or (cell.has | cell.lacks) & mask or any(some & mask for some in cell.some):
            yield layer


def _leaves(cell: Change, layer: int, mask: int) -> bool:
    """Does a rule leave the objects and the movement of a layer of a cell as they are?"""
    has, adds, removes = cell.has & mask, cell.adds & mask, cell.removes & mask
    # A layer has one object at most, and one movement.
    objects = adds == has if adds else not removes & (has or mask & ~cell.lacks)
    ways = movements(layer)
    moving, stops, starts = cell.moving & ways, cell.stops & ways, cell.starts & ways
    if moving:
        return objects and (moving & ~stops | starts) == moving
    return objects and not starts and (not stops or bool(cell.still & ways))
