"""Objects that a proof may leave out, since they make no difference to the others, nor to winning.

A rule may apply if all its objects are at the start or come from rules that may apply. If no rule that may apply
wins, no restart does, and a win condition can never hold, no object makes a difference. Otherwise layers are kept
or ignored under these conditions:

1. No rule has `again` or is rigid, and there are no loops.
2. Players and win conditions are of kept layers.
3. A rule that may apply and is about an ignored layer has no commands, and changes no kept layer. A message is no
   command here unless a rule that may apply has `win`, which does not win beside a message.

*So turns from two positions with the same objects of kept layers end in the same way, with the same objects of
kept layers.* By 3, the matches of the rules that change kept layers or have commands depend on kept layers only.
An object blocks objects of its own layer only. Groups and movement are repeated as long as anything changes: if a
pass has changed ignored layers only, the next ones leave the kept layers, and queue the same commands.

All of this needs that a cell has at most one object of each layer, at the start and on right sides.
"""

from collections.abc import Iterator, Sequence

from puzzlemc.encodings.puzzlescript.cells.compilation import (
    Change,
    Compilation,
    Row,
    compilation,
    movements,
    restart_wins,
)
from puzzlemc.encodings.puzzlescript.domain.position import Cells
from puzzlemc.screens.puzzlescript.game import Level, Rule, Win


def ignored_objects(level: Level, start: Cells, named: frozenset[str]) -> frozenset[str]:
    """The objects of ignored layers, if the layers of these named objects are kept. As many as possible."""
    game = level.game
    made = compilation(game)
    names = made.names
    if not has_single_objects(made, start):
        return frozenset()
    if not restart_wins(level) and not can_win(made, start):
        return frozenset(game.objects) - named
    if game.loops or game.late_loops or any(rule.rigid or "again" in rule.commands for rule in game.rules):
        return frozenset()
    kept = {names.layer[name] for name in named | game.players}
    for win in game.wins:
        kept |= {names.layer[name] for name in win.subject | (win.on or frozenset())}
    applicable = list(_applicable(made, start))
    silent = frozenset[str]() if any("win" in rule.commands for rule, _ in applicable) else {"message"}
    rules = [(bool(set(rule.commands) - silent), cells) for rule, cells in applicable]
    is_stable = False
    while not is_stable:
        is_stable = True
        for has_commands, cells in rules:
            about = {layer for cell in cells for layer in _about(cell, names.layers)}
            changes = any(not _leaves(cell, layer, names.layers[layer]) for cell in cells for layer in kept)
            if not about <= kept and (has_commands or changes):
                kept |= about
                is_stable = False
    return frozenset(name for name in game.objects if names.layer[name] not in kept)


def can_win(made: Compilation, start: Cells) -> bool:
    """Can a rule that may apply win, or can each win condition hold?

    An object that no such rule touches, and that is no player, stays where it is at the start. Each other one may
    be anywhere if it is at the start or comes from such a rule.
    """
    names, possible = made.names, _possible(made, start)
    rules = list(_applicable(made, start))
    if any("win" in rule.commands for rule, _ in rules):
        return True
    cells = [cell for _, some in rules for cell in some]
    changing = made.game.players | {
        name
        for name, number in names.objects.items()
        if any(touches(cell, 1 << number, names.layer[name], names.layers) for cell in cells)
    }
    elsewhere = frozenset(name for name in changing if possible >> names.objects[name] & 1)
    sure = [here - changing for here in start]
    wins = made.game.wins
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


def has_single_objects(made: Compilation, start: Cells) -> bool:
    """Does each cell have at most one object of a layer, at the start and on right sides?"""
    layer = made.names.layer
    if any(len({layer[name] for name in here}) < len(here) for here in set(start)):
        return False
    added = (cell.adds for rows in made.rows for row in rows for part in row.parts for cell in part)
    return all((adds & mask).bit_count() <= 1 for adds in added for mask in made.names.layers)


def _possible(made: Compilation, start: Cells) -> int:
    """The mask of the objects that are at the start or come from rules that may apply."""
    possible, before = made.names.mask(frozenset().union(*start)), -1
    while possible != before:
        before = possible
        for rows in made.rows:
            cells = _cells(rows)
            if _may_apply(cells, possible):
                for cell in cells:
                    possible |= cell.adds
    return possible


def _applicable(made: Compilation, start: Cells) -> Iterator[tuple[Rule, Sequence[Change]]]:
    """Yield the rules that may apply, with their cells."""
    possible = _possible(made, start)
    for rule, rows in zip(made.game.rules, made.rows, strict=True):
        if _may_apply(_cells(rows), possible):
            yield rule, _cells(rows)


def _cells(rows: Sequence[Row]) -> list[Change]:
    return [cell for row in rows for part in row.parts for cell in part]


def _may_apply(cells: Sequence[Change], possible: int) -> bool:
    return all(not cell.has & ~possible and all(mask & possible for mask in cell.some) for cell in cells)


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


def touches(cell: Change, thing: int, layer: int, layers: Sequence[int]) -> bool:
    """May a rule add, remove or move the object of a mask, which is of this layer, in a cell?"""
    mask, ways = layers[layer], movements(layer)
    may_be_here = bool(cell.has & thing) or not (
        cell.has & mask or cell.lacks & thing or any(some & mask and not some & thing for some in cell.some)
    )
    if cell.adds & thing and not cell.has & thing:
        return True
    if may_be_here and cell.removes & thing and not cell.adds & thing:
        return True
    moving = cell.moving & ways
    is_moved = cell.starts & ways and (not moving or (moving & ~cell.stops | cell.starts & ways) != moving)
    return bool(is_moved) and may_be_here
