"""A user interface for any puzzle: its drawing, and a list of all legal moves."""

from collections.abc import Sequence
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.by_hand import ByHand, Scene, Span, scene

TURNS = {"up": -1, "left": -1, "shift+tab": -1, "down": 1, "right": 1, "tab": 1}
BESIDE = 4  # columns between drawing and list


def listed(puzzle: Puzzle) -> ByHand:
    """The interface of a puzzle without one of its own. The hand is the number of the chosen move."""

    def names(level: Any, position: Any) -> list[str]:
        return [step.name for step in puzzle.rules.steps(level, position)]

    def show(level: Any, position: Any, hand: int, hint: Sequence[str], scale: int) -> Scene:
        drawing = puzzle.screen.draw(level, position).split("\n")
        width = max(map(len, drawing), default=0)
        moves = names(level, position)
        lines = []
        for number in range(max(len(drawing), len(moves))):
            line = [Span((drawing[number] if number < len(drawing) else "").ljust(width + BESIDE))]
            if number < len(moves):
                marks = "▸ " if number == hand else "  "
                hinted = hint[:1] == [moves[number]] or hint[:1] == (moves[number],)
                line.append(Span(marks + moves[number], "accent" if hinted else "", "", number == hand))
                if hinted:
                    line.append(Span(" ← hint", "accent"))
            lines.append(tuple(line))
        most = max(map(len, moves), default=0) + 10
        return scene(lines, (width + BESIDE, hand, most, 1))

    def press(level: Any, position: Any, hand: int, key: str) -> tuple[int, str] | None:
        moves = names(level, position)
        if key in TURNS and moves:
            return (hand + TURNS[key]) % len(moves), ""
        if key in ("enter", "space") and moves:
            return hand, moves[hand]
        return (moves.index(key), "") if key in moves else None

    def hand(level: Any, position: Any, before: int | None) -> int:
        return max(0, min(before or 0, len(names(level, position)) - 1))

    keys = (("arrows", "choose a move"), ("enter", "play it"))
    return ByHand(keys, show, press, hand)
