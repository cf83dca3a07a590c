"""What is told of a part of a level that already cannot be done."""

from dataclasses import dataclass

from puzzlemc.encodings.puzzle.parts import Drawn
from puzzlemc.mc.proofs.layered import LayeredProof
from puzzlemc.screens.base.picture import Picture


@dataclass(frozen=True)
class Why:
    """The part of a level that already cannot be done.

    kind      of its objects, as several and as `one`
    objects   by name
    of        how many the level has
    words     why, in a sentence
    smallest  whether it is known that none with fewer objects of that kind cannot be done
    minimal   whether it is known that nothing of it can be left out
    below     no part with fewer objects of the kind than this cannot be done
    reason    the limit that kept more from being known
    checked   whether its proof was checked; of all objects, it is that of the level
    drawn     the part as text
    picture   the same as shapes
    proof     that the part cannot be done; None of all objects, or where there is none
    """

    kind: str
    one: str
    objects: tuple[str, ...]
    of: int
    words: str
    smallest: bool
    minimal: bool
    below: int
    reason: str | None
    checked: bool
    drawn: Drawn
    picture: Picture
    proof: LayeredProof | None = None

    @property
    def is_whole(self) -> bool:
        """Does it take all objects of the level?"""
        return len(self.objects) == self.of

    @property
    def scope(self) -> str:
        """How small the part is, and what is not known of that, for people."""
        count, some = len(self.objects), self.kind if self.of > 1 else self.one
        if not count:
            return "whatever else is done"
        if self.is_whole:
            told = f"all {self.of} {some}" if self.of > 1 else f"the only {some}"
        else:
            told = f"{count} of {self.of} {some}"
        if self.smallest:
            told += "" if count == 1 else ", and no fewer"
        elif self.minimal:
            told += f", of which none can be left out; whether fewer than {count} would do was not found out"
            told += f" ({self.below} at least)" * (self.below > 1)
        else:
            told += " at most; not all smaller parts were tried"
        if self.reason is not None:
            told += f" ({self.reason})"
        return told

    @property
    def evidence(self) -> str:
        """What the proof is, for people."""
        if self.is_whole:
            return "the proof is that of the level"
        return "proof checked" if self.checked else "the proof was not checked"

    def as_json(self) -> dict[str, object]:
        """The same for programs. Places are rows and columns from 1."""
        return {
            "kind": self.kind,
            "objects": list(self.objects),
            "of": self.of,
            "words": self.words,
            "smallest": self.smallest,
            "minimal": self.minimal,
            "below": self.below,
            "reason": self.reason,
            "checked": self.checked,
            "drawing": self.drawn.text,
        }
