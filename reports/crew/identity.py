"""The identity of a level, independent of its file name: digests of the level and of its transformed forms.

The digest of the text is quick to compute and recognises text that was seen before. A level that is built has two
more digests: `content`, equal for levels with the same moves, and `shape`, equal for levels that are the same up
to rotation and reflection.
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
    """Digests of a level, and the level as text.

    content  digest of the level; if it cannot be built, digest of its text
    shape    digest of the canonical (least) transformed form; `content` if the puzzle has no symmetries
    turn     the number of the transformation into canonical form
    drawing  the level as text, without its names; a text that cannot be built stays as it is
    """

    content: bytes
    shape: bytes
    turn: int
    drawing: str


def of_text(entry: Entry) -> bytes:
    """The digest of the text of a level."""
    assert entry.text is not None
    return _digest(entry.puzzle, "text", entry.text)


def identify(entry: Entry) -> Identity:
    """The identity of the level of an entry. Builds the level."""
    if entry.level is None:
        return unbuilt(entry)
    rules = entry.puzzle
    drawing = rules.screen.draw(nameless(entry.level))
    if rules.symmetry is None:
        written = rules.text.content
        content = _digest(rules, "drawing", drawing if written is None else written(entry.level))
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
    """The identity of a level that cannot be built: that of its text."""
    raw = of_text(entry)
    return Identity(raw, raw, 0, entry.text or "")


def _written(grid: Grid) -> str:
    return "\n".join("\x1f".join(row) for row in grid)


def _digest(rules: Puzzle, what: str, text: str) -> bytes:
    parts: Sequence[str] = (rules.name, rules.origin, what, text)
    return blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()
