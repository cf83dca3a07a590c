"""Win conditions that are decided from the start, and levels that are won or cannot be played at their start.

What never changes in a level says what each cell can have: in each layer the object that stays there, or none or
one of those that change. A condition about two sides looks at each cell alone, so the pairs (has it the subject,
has it what is behind `on`) that are possible in each cell bound it.
"""

from collections.abc import Iterator
from typing import TypeAlias

from puzzlemc.encodings.puzzlescript.domain.drawing import TooManyDraws
from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.domain.turn import Unsettled
from puzzlemc.encodings.puzzlescript.lint.knowledge import Knowledge, Remark
from puzzlemc.encodings.puzzlescript.planes.compilation import Compilation
from puzzlemc.screens.puzzlescript.game import Level, Win
from puzzlemc.screens.puzzlescript.winning import won

Pair: TypeAlias = tuple[bool, bool]  # has a cell the subject of a condition, and what is behind its `on`?


def decided_conditions(known: Knowledge) -> Iterator[Remark]:
    """Yield each win condition that always holds on all levels, or never on any; and that there is none."""
    for win in known.game.wins:
        if not known.names.crowded.isdisjoint(known.names.layer[name] for name in _sides(win)):
            continue
        kinds = [_kinds(board, win) for board in known.boards]
        values = {_value(win, each) for each in kinds}
        if len(values) == 1 and (value := values.pop()) is not None:
            words = f"win condition {known.condition(win.line)} {'always' if value else 'never'} holds"
            yield Remark(*known.at(win.line), f"{words}: {_why(known, win)}")
    if not known.game.wins and not any("win" in rule.commands for rule in known.rules):
        yield Remark(known.source.head, 0, "game cannot be won: it has no win condition, and no rule with win")


def _kinds(board: Compilation, win: Win) -> list[set[Pair]]:
    """The pairs that are possible in a cell, for each kind of cell that a level has."""
    names, constant = board.names, board.contents.constant
    layers = [names.layers[number] for number in sorted({names.layer[name] for name in _sides(win)})]
    staying = [[(name, constant[name]) for name in layer if name in constant] for layer in layers]
    found: dict[tuple[str, ...], set[Pair]] = {}
    for cell in range(len(board.level.cells)):
        here = tuple(next((name for name, cells in each if cells >> cell & 1), "") for each in staying)
        if here not in found:
            found[here] = _pairs(board, win, layers, here)
    return list(found.values())


def _pairs(board: Compilation, win: Win, layers: list[tuple[str, ...]], here: tuple[str, ...]) -> set[Pair]:
    """The pairs that are possible in a cell in which these objects of the layers stay; "" if none does."""
    on, on_all = (frozenset[str](), True) if win.on is None else (win.on, win.on_all)
    pairs = {(win.subject_all, on_all)}
    for layer, stays in zip(layers, here, strict=True):
        subject_here, on_here = win.subject.intersection(layer), on.intersection(layer)
        choices = [stays] if stays else ["", *(name for name in layer if name in board.contents.objects)]
        pairs = {
            (_joined(pair[0], subject_here, name, win.subject_all), _joined(pair[1], on_here, name, on_all))
            for pair in pairs
            for name in choices
        }
    return pairs


def _sides(win: Win) -> frozenset[str]:
    return win.subject | (win.on or frozenset())


def _joined(so_far: bool, wanted: frozenset[str], name: str, all_of_them: bool) -> bool:
    """Has a cell a side, after one more layer? `wanted` is the part of the side in this layer, `name` is there."""
    return so_far and wanted <= {name} if all_of_them else so_far or name in wanted


def _value(win: Win, kinds: list[set[Pair]]) -> bool | None:
    """Whether the condition holds at all times, or never; None if that is not known."""
    wrong = (True, False) if win.quantifier == "all" else (True, True)
    may = any(wrong in pairs for pairs in kinds)
    must = any(pairs == {wrong} for pairs in kinds)
    if win.quantifier == "some":
        return True if must else None if may else False
    return False if must else None if may else True


def _why(known: Knowledge, win: Win) -> str:
    """Why a condition is decided."""
    for objects, whole in ((win.subject, win.subject_all), (win.on or frozenset(), win.on_all)):
        absent = frozenset(name for name in objects if name not in known.possible)
        if objects and absent == objects:
            return known.absence(objects)
        if whole and absent:
            return known.absence(absent)
    layers = {known.names.layer[name] for name in _sides(win)}
    if win.on is not None and len(layers) == 1 and win.subject.isdisjoint(win.on):
        return "its objects are in one collision layer, so that no cell has both"
    return "objects that stay where they are decide it"


def odd_starts(known: Knowledge) -> Iterator[tuple[Level, str]]:
    """Yield the levels that are won at their start, and those without a player, with words."""
    game = known.game
    for level, board in zip(known.levels, known.boards, strict=True):
        missing = game.players - board.possible
        if missing == game.players or (game.players_all and missing):
            yield level, f"level has no player: it holds no {known.any_of(missing)}, and no rule makes one in it"
        try:
            start = RULES.start(level)
        except (Unsettled, TooManyDraws):
            continue
        assert isinstance(start, Position)
        if start.begun and (start.won or won(game, start.cells)):
            yield level, "level is won at its start: all win conditions hold before the first turn, which wins"
