"""Levels with chance: whether draws decide them, and their turns for searches.

Compiled code lists the outcomes of a turn, and their probabilities.

A draw decides nothing if no rule that draws can change a layer that matters for winning, or end rounds (see
`cone_of_influence`). With `again`, loops or rigid rules, any change may matter, and all layers are kept. A rule of
a random group that matters is a draw itself, so one such rule suffices for the whole group.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from puzzlemc.encodings.puzzle.questions import WithChance
from puzzlemc.encodings.puzzlescript.domain.chance import CHANCE
from puzzlemc.encodings.puzzlescript.domain.chances import PROCESS, RESTART, STUCK, Node, following
from puzzlemc.encodings.puzzlescript.domain.drawing import Drawing, Weight
from puzzlemc.encodings.puzzlescript.domain.position import BEGIN, Cells, Position, movement
from puzzlemc.encodings.puzzlescript.domain.rounds import rounds
from puzzlemc.encodings.puzzlescript.domain.rules import OF
from puzzlemc.encodings.puzzlescript.domain.turn import Ending, Round, Unsettled, restart_wins
from puzzlemc.encodings.puzzlescript.draws.drawn_turns import drawn_turns
from puzzlemc.encodings.puzzlescript.planes.encoding import board, relevant_board
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.rules.chance import Turn
from puzzlemc.screens.puzzlescript.game import RANDOM, RANDOM_DIRECTION, Level

MOST_NAMES = 5  # of drawn objects that are said


@lru_cache(maxsize=8)
def chance(level: Level) -> WithChance | None:
    """What is known of a level with chance, None if no rule that draws can ever apply."""
    if not level.game.has_chance or not board(level).compilation.drawing:
        return None
    if relevant_board(level).compilation.drawing:
        return WithChance(CHANCE, SEARCH, PROCESS, REACHABLE, WEIGHTED)
    words = f"chance decides only what is drawn: {_drawn(level)}"
    return WithChance(CHANCE, SEARCH, PROCESS, REACHABLE, WEIGHTED, decides=False, words=words)


def first(level: Level) -> Sequence[Position]:
    """The positions in which a level may begin. Raises Unsettled, TooManyDraws."""
    return drawn_turns(level).first


def begin(level: Level, position: Position) -> str | None:
    """The step that draws the first position, None if there is no draw. Raises Unsettled, TooManyDraws."""
    found = drawn_turns(level).first
    return None if len(found) == 1 else f"{BEGIN}{OF}{found.index(position) + 1}"


def hangs(level: Level) -> bool:
    """May the rules at the start of a level never end? Raises TooManyDraws."""
    return drawn_turns(level).hangs


def turn(level: Level, position: Position, name: str) -> Turn:
    """The outcomes of an input, as the plain rules list them. Raises TooManyDraws."""
    return drawn_turns(level).turn(position, name)


def _certain(level: Level, position: Position, name: str) -> tuple[Ending, Cells] | None:
    """The end of a turn in which nothing is drawn, and no restart draws or wins; None if it is not known."""
    if _is_restart_a_step(level):
        return None
    try:
        ending, cells, _ = board(level).turn(position.cells, movement(name))
    except (Unsuitable, Unsettled):
        return None
    return ending, cells


def weighted(level: Level, node: Node, name: str) -> Mapping[Any, Weight]:
    """The nodes that follow an input, with their probabilities. Raises TooManyDraws."""
    certain = _certain(level, node, name) if isinstance(node, Position) else None
    if certain is None:
        return following(level, node, name, weighs=True, rounds=_rounds)
    ending, cells = certain
    special = {Ending.RESTARTED: RESTART, Ending.STUCK: STUCK}
    return {special.get(ending) or Position(cells, won=ending is Ending.WON): 1}


def _rounds(level: Level, drawing: Drawing, cells: Cells, movement: str) -> Mapping[Round, Weight]:
    """The rounds that may be drawn, with their probabilities. Raises TooManyDraws."""
    return drawn_turns(level).rounds(cells, movement) or rounds(level, drawing, cells, movement)


def reachable(level: Level, node: Node, name: str) -> dict[Node, Weight]:
    """The nodes that may follow an input, each with the weight 1. Raises TooManyDraws."""
    if not isinstance(node, Position):
        return following(level, node, name, weighs=False)
    found = turn(level, node, name)
    ends: list[Any] = [step.position for step in found.steps]
    return dict.fromkeys([*ends, *([RESTART] if found.restarts else []), *([STUCK] if found.stuck else [])], 1)


@lru_cache(maxsize=8)
def _is_restart_a_step(level: Level) -> bool:
    """May a restart draw, or win? Then the plain rules have a step for it, and compiled turns none."""
    restarts = any("restart" in rule.commands for rule in level.game.rules)
    return restarts and (level.game.run_rules_on_level_start or restart_wins(level))


def _drawn(level: Level) -> str:
    """What rules with chance draw, in words."""
    lines, found = set(board(level).compilation.drawing), set[str]()
    for rule in level.game.rules:
        sides = zip(rule.left, rule.right, strict=False) if rule.line in lines else ()
        for before, after in (cells for rows in sides for cells in zip(*rows, strict=True)):
            there = {term.name for term in before or ()}
            for term in after or ():
                if term.movement in (RANDOM, RANDOM_DIRECTION) or (
                    term.movement != "no" and term.name not in there
                ):
                    found.add(term.name)
    names = [name for name in level.game.objects if name in found]
    if not names:
        return "which of its rules apply"
    return ", ".join(names[:MOST_NAMES]) + (" and others" if len(names) > MOST_NAMES else "")


SEARCH = replace(CHANCE, first=first, turn=turn, begin=begin, hangs=hangs)
REACHABLE, WEIGHTED = replace(PROCESS, after=reachable), replace(PROCESS, after=weighted)
