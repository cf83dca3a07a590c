"""Objects that a proof may leave out, since they make no difference to the others, nor to winning.

Layers are kept or ignored. A rule may apply if all its objects are at the start or come from rules that may apply.
Layers are ignored under these conditions:

1. No rule has `again` or is rigid, and there are no loops. The start has at most one object of a layer in each
   cell, and so has each cell of a right side.
2. Players and win conditions are of kept layers.
3. A rule that may apply and is about an ignored layer has no commands, and changes no kept layer.

*So turns from two positions with the same objects of kept layers end in the same way, with the same objects of
kept layers.* By 3, the matches of the rules that change kept layers or have commands depend on kept layers only.
An object blocks objects of its own layer only. Groups and movement are repeated as long as anything changes: if a
pass has changed ignored layers only, the next ones leave the kept layers, and queue the same commands.
"""

from collections.abc import Iterator, Sequence

from puzzlemc.encodings.puzzlescript.cells.compilation import Change, Compilation, compilation, movements
from puzzlemc.encodings.puzzlescript.domain.position import Cells
from puzzlemc.screens.puzzlescript.game import Game, Rule


def ignored_objects(game: Game, start: Cells, named: frozenset[str]) -> frozenset[str]:
    """The objects of ignored layers, if the layers of these named objects are kept. As many as possible."""
    made = compilation(game)
    names = made.names
    if not _is_simple(made, start):
        return frozenset()
    kept = {names.layer[name] for name in named | game.players}
    for win in game.wins:
        kept |= {names.layer[name] for name in win.subject | (win.on or frozenset())}
    rules = [(bool(set(rule.commands) - {"message"}), cells) for rule, cells in _applicable(made, start)]
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


def _is_simple(made: Compilation, start: Cells) -> bool:
    """Does condition 1 hold?"""
    game, layer = made.game, made.names.layer
    if game.loops or game.late_loops or any(rule.rigid or "again" in rule.commands for rule in game.rules):
        return False
    if any(len({layer[name] for name in here}) < len(here) for here in set(start)):
        return False
    added = (cell.adds for rows in made.rows for row in rows for part in row.parts for cell in part)
    return all((adds & mask).bit_count() <= 1 for adds in added for mask in made.names.layers)


def _applicable(made: Compilation, start: Cells) -> Iterator[tuple[Rule, Sequence[Change]]]:
    """Yield the rules that may apply, with their cells."""
    game = made.game
    cells = [[cell for row in rows for part in row.parts for cell in part] for rows in made.rows]
    possible, before = made.names.mask(frozenset().union(*start)), -1
    while possible != before:
        before = possible
        for some in cells:
            if _may_apply(some, possible):
                for cell in some:
                    possible |= cell.adds
    for rule, some in zip(game.rules, cells, strict=True):
        if _may_apply(some, possible):
            yield rule, some


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
