"""The explanation of an unsolvable level: an infeasible part of it."""

from dataclasses import dataclass

from puzzlemc.encodings.puzzle.explanation import Drawn
from puzzlemc.mc.proofs.proof import Proof
from puzzlemc.screens.base.picture import Picture


@dataclass(frozen=True)
class Why:
    """An infeasible part of a level.

    kind      the kind of its objects in the plural; `one` is the singular
    objects   their names
    of        the number of objects of this kind in the level
    words     the reason, as a sentence
    smallest  whether every part with fewer objects of this kind is known to be feasible
    minimal   whether every proper subset is known to be feasible
    below     every part with fewer objects of this kind than this number is feasible
    reason    the limit that ended the search for a smaller part
    checked   whether its proof was checked; for a part of all objects, the proof of the level
    drawn     the part as text
    picture   the part as shapes
    start     the facts at the start that its sum counts; empty if no sum shows that it is infeasible
    proof     of infeasibility; None for a part of all objects, or if there is no proof
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
    proof: Proof | None = None
    start: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Does it take all objects of the level?"""
        return len(self.objects) == self.of

    @property
    def scope(self) -> str:
        """The size of the part, and whether a smaller one may exist, in words."""
        count, some = len(self.objects), self.kind if self.of > 1 else self.one
        if not count:
            return "whatever else is done"
        if self.is_whole:
            size = f"all {self.of} {some}" if self.of > 1 else f"the only {some}"
        else:
            size = f"{count} of {self.of} {some}"
        if self.smallest:
            size += "" if count == 1 else ", and no fewer"
        elif self.minimal:
            size += f", and none can be left out; it is unknown whether fewer than {count} suffice"
            size += f" ({self.below} at least)" * (self.below > 1)
        else:
            size += " at most; not all smaller parts were tried"
        if self.reason is not None:
            size += f" ({self.reason})"
        return size

    @property
    def evidence(self) -> str:
        """What the proof is, for people."""
        if self.is_whole:
            return "the proof is that of the level"
        return "proof checked" if self.checked else "the proof was not checked"

    def as_json(self) -> dict[str, object]:
        """The answer as JSON values. Places are rows and columns from 1."""
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
            **({"start": list(self.start)} if self.start else {}),
            "drawing": self.drawn.text,
        }
