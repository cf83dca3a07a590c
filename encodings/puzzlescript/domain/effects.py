"""What the right side of a rule does to a cell.

The objects of the left side go, the objects of the right side come in place of all others of their layers. A layer
that only the left side names becomes empty, and loses its movement. A movement of the left side goes, a movement
of the right side replaces that of its layer. So `[ A ] -> [ B ]` keeps any movement if A and B share a layer.
"""

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from puzzlemc.encodings.puzzlescript.domain.board import Board
from puzzlemc.encodings.puzzlescript.domain.matching import Names
from puzzlemc.screens.puzzlescript.game import DIRECTIONS, RANDOM, RANDOM_DIRECTION, Term


class Effect(NamedTuple):
    """The effect of a rule on one cell, in this order.

    remove  objects that go
    add     objects that come
    lose    a layer loses this movement; another movement stays
    become  the layer gets this movement; "" for none
    """

    remove: frozenset[str]
    add: frozenset[str]
    lose: tuple[tuple[int, str], ...]
    become: tuple[tuple[int, str], ...]


def effect(left: Sequence[Term], right: Sequence[Term], names: Names) -> Effect:
    """The effect of a cell of a right side, whose left side has these terms. What is drawn is left out."""
    right = [term for term in right if term.movement != RANDOM]
    remove, add, lose, become = set[str](), set[str](), [], dict[int, str]()
    layers_left, layers_right = (
        {names.layer[name] for movement, name in side if movement != "no"} for side in (left, right)
    )
    for layer in layers_left - layers_right:
        remove |= names.layers[layer]
        become[layer] = ""
    for movement, name in right:
        layer = names.layer[name]
        if movement == "no":
            remove |= names.members[name]
            continue
        if movement:
            become[layer] = "" if movement in ("stationary", RANDOM_DIRECTION) else movement
        if names.is_object(name):
            remove |= names.layers[layer]
            add.add(name)
    for movement, name in left:
        layer = names.layer[name]
        if movement not in ("", "no", "stationary") and layer not in become:
            lose.append((layer, movement))
    return Effect(frozenset(remove), frozenset(add), tuple(lose), tuple(become.items()))


class Drawn(NamedTuple):
    """What is drawn for a cell.

    choices  the number of choices of each draw: first for an object, then for the direction of each layer
    effects  the effects of all choices; those of the last draw vary fastest
    """

    choices: tuple[int, ...]
    effects: tuple[Effect, ...]


def draws(done: Effect, right: Sequence[Term], names: Names) -> Drawn:
    """What is drawn for a cell of a right side, whose effect without chance is `done`.

    Of the `random` objects one comes, in place of what stands in its layer. The layer loses its movement, unless
    the right side states one. Each `randomdir` is one of four directions.
    """
    order = list(names.layer)
    objects = sorted({name for movement, name in right if movement == RANDOM}, key=order.index)
    turning = sorted({names.layer[name] for movement, name in right if movement == RANDOM_DIRECTION})
    of_directions = (len(DIRECTIONS),) * len(turning)
    ways = [
        dict(done.become) | dict(zip(turning, directions, strict=True))
        for directions in product(DIRECTIONS, repeat=len(turning))
    ]
    if not objects:
        return Drawn(of_directions, tuple(done._replace(become=tuple(become.items())) for become in ways))
    found = []
    for name, become in product(objects, ways):
        layer = names.layer[name]
        found.append(
            Effect(
                done.remove | names.layers[layer],
                done.add | {name},
                tuple(each for each in done.lose if each[0] != layer),
                tuple((become | {layer: become.get(layer, "")}).items()),
            )
        )
    return Drawn((len(objects), *of_directions), tuple(found))


def apply(board: Board, cell: int, done: Effect) -> bool:
    """Apply an effect to a cell. Returns whether an object or a movement has changed."""
    before, movements = board.cells[cell], board.movements
    after = before - done.remove | done.add
    changed = after != before
    if changed:
        board.replace(cell, after)
    for layer, movement in done.lose:
        if movements.get((cell, layer)) == movement:
            del movements[cell, layer]
            changed = True
    for layer, movement in done.become:
        if movements.get((cell, layer), "") != movement:
            changed = True
            if movement:
                movements[cell, layer] = movement
            else:
                del movements[cell, layer]
    return changed
