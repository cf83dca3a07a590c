"""A user interface for any puzzle: its drawing, and a list of all legal moves, which words narrow down.

After `/`, what is typed is a filter: the list keeps the moves whose names contain each of its words. If legal
moves are called left, up, right or down, or by the first letters, then the arrow keys make them.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.by_hand import AWAY, ByHand, Scene, Span, scene

TURNS = {"up": -1, "left": -1, "shift+tab": -1, "down": 1, "right": 1, "tab": 1}
BESIDE = 4  # columns between drawing and list
ERASE = ("backspace", "ctrl+h")


class Hand(NamedTuple):
    """The number of the chosen move among those that are shown; the filter; is the filter being typed?"""

    chosen: int = 0
    words: str = ""
    is_typed: bool = False


def listed(puzzle: Puzzle) -> ByHand:
    """The interface of a puzzle without one of its own."""
    last: list[Any] = [None, None, ()]  # a level, a position, and the names of its moves

    def names(level: Any, position: Any) -> Sequence[str]:
        if last[0] is not level or last[1] != position:
            last[:] = level, position, tuple(step.name for step in puzzle.rules.steps(level, position))
        found: Sequence[str] = last[2]
        return found

    def shown(level: Any, position: Any, hand: Hand) -> list[str]:
        words = hand.words.lower().split()
        return [name for name in names(level, position) if all(word in name.lower() for word in words)]

    def by_arrows(level: Any, position: Any) -> dict[str, str]:
        """The legal moves that are called like arrow keys, by these."""
        ways = {name.lower(): name for name in names(level, position)}
        return {key: ways[name] for key in AWAY for name in (key, key[0]) if name in ways}

    def pad(level: Any) -> Sequence[str]:
        return tuple(AWAY) if by_arrows(level, puzzle.rules.start(level)) else ()

    def show(level: Any, position: Any, hand: Hand, hint: Sequence[str], scale: int) -> Scene:
        drawing = puzzle.screen.draw(level, position).split("\n")
        width = max(map(len, drawing), default=0)
        moves = shown(level, position, hand)
        lines = []
        for number in range(max(len(drawing), len(moves))):
            line = [Span((drawing[number] if number < len(drawing) else "").ljust(width + BESIDE))]
            if number < len(moves):
                marks = "▸ " if number == hand.chosen else "  "
                hinted = hint[:1] == [moves[number]] or hint[:1] == (moves[number],)
                line.append(Span(marks + moves[number], "accent" if hinted else "", "", number == hand.chosen))
                if hinted:
                    line.append(Span(" ← hint", "accent"))
            lines.append(tuple(line))
        most = max(map(len, moves), default=0) + 10
        return scene(lines, (width + BESIDE, hand.chosen, most, 1))

    def press(level: Any, position: Any, hand: Hand, key: str) -> tuple[Hand, str] | None:
        moves = shown(level, position, hand)
        if hand.is_typed:
            if key in ERASE:
                return Hand(0, hand.words[:-1], bool(hand.words)), ""
            if len(key) == 1 or key == "space":
                return Hand(0, hand.words + (" " if key == "space" else key), True), ""
        if key in AWAY and not hand.is_typed and not hand.words and (ways := by_arrows(level, position)):
            return (hand, ways[key]) if key in ways else None
        if key == "/":
            return hand._replace(is_typed=True), ""
        if key == "escape":
            return Hand(), ""
        if key in TURNS and moves:
            return hand._replace(chosen=(hand.chosen + TURNS[key]) % len(moves)), ""
        if key in ("enter", "space") and moves:
            return hand, moves[hand.chosen]
        return (hand, key) if key in names(level, position) else None

    def hand(level: Any, position: Any, before: Hand | None) -> Hand:
        found = Hand(0 if before is None or before.words else before.chosen)
        return found._replace(chosen=max(0, min(found.chosen, len(names(level, position)) - 1)))

    def prompt(level: Any, position: Any, hand: Hand) -> str:
        if not hand.is_typed and not hand.words:
            return ""
        many = len(names(level, position))
        return f"/{hand.words}{'_' * hand.is_typed}  {len(shown(level, position, hand))} of {many} moves"

    keys = (("arrows", "choose a move, or go that way"), ("enter", "play it"), ("/", "filter"))
    return ByHand(keys, show, press, hand, prompt=prompt, types=lambda hand: hand.is_typed, pad=pad)
