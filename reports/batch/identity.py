"""What a level is, whatever its file is called: a digest of what can be told of it, and of its turned forms.

The text of a level has a digest that is quick to make and knows text that was seen before. The level itself,
once it is built, has two: `content`, the same for levels that are played alike, and `shape`, the same for
levels that are alike once rotated or mirrored.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.symmetry import Grid, least
from puzzlemc.encodings.puzzle.text import nameless
from puzzlemc.encodings.puzzles import Entry

DIGEST = 16  # bytes: a pair of equal digests by chance is out of the question below 10^15 levels


@dataclass(frozen=True)
class Identity:
    """What a level is.

    content  digest of the level; of one that cannot be built, of its text
    shape    digest of the level's least turned form, or `content` where its puzzle has none
    turn     the number of the turn that makes that form
    drawing  the level as text, without its names; a text that cannot be built as it is
    """

    content: bytes
    shape: bytes
    turn: int
    drawing: str


def of_text(entry: Entry) -> bytes:
    """The digest of the text of a level that has one."""
    assert entry.text is not None
    return _digest(entry.puzzle, "text", entry.text)


def identify(entry: Entry) -> Identity:
    """What the level of an entry is. Builds it."""
    if entry.level is None:
        return unbuilt(entry)
    rules = entry.puzzle
    drawing = rules.screen.draw(nameless(entry.level))
    if rules.symmetry is None:
        content = _digest(rules, "drawing", drawing)
        return Identity(content, content, 0, drawing)
    grid = rules.symmetry.grid(entry.level)
    turned, turn = least(grid)
    return Identity(
        _digest(rules, "grid", _written(grid)),
        _digest(rules, "shape", _written(turned)),
        turn,
        drawing,
    )


def unbuilt(entry: Entry) -> Identity:
    """What a level is of which the text is all that is known."""
    raw = of_text(entry)
    return Identity(raw, raw, 0, entry.text or "")


def _written(grid: Grid) -> str:
    return "\n".join("\x1f".join(row) for row in grid)


def _digest(rules: Puzzle, what: str, text: str) -> bytes:
    parts: Sequence[str] = (rules.name, rules.origin, what, text)
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()
