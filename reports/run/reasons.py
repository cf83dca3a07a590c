"""Why a level has no solution: the smallest part of it that already cannot be done, with a proof.

Each question is about a part of the level, as its puzzle has them (`encodings/puzzle/parts.py`): a model of its own, which
engines decide. Which part is asked about next, `mc/core.py` says. The part that is found gets a proof that is checked
like any other; by the theorem of the puzzle it is a proof that the whole level has no solution.
"""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.parts import Drawn, Part, Parts
from puzzlemc.mc.circuit import TRUE, Circuit
from puzzlemc.mc.core import SMALL, Answer, Ask, Core, Search
from puzzlemc.mc.engines.portfolio import SMALL as SMALL_NODES
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.engines.registry import engine
from puzzlemc.mc.errors import LIMITS, LimitReached, Refuted
from puzzlemc.mc.formula import constant
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import ANY, Model
from puzzlemc.mc.proof import Proof
from puzzlemc.mc.proofs.checker import check_proof
from puzzlemc.mc.proofs.prover import prove_unreachable
from puzzlemc.mc.verdict import Reachable, Unknown, Verdict

SEARCH = 0.75  # of the time that is left: the rest is for the proof


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
    proof: Proof | None = None

    @property
    def is_whole(self) -> bool:
        """Does it take all objects of the level?"""
        return len(self.objects) == self.of

    @property
    def scope(self) -> str:
        """How small the part is, and what is not known of that, for people."""
        count, some = len(self.objects), self.kind if self.of > 1 else self.one
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


def explain(rules: Puzzle, level: Any, watch: Watch, *, many: bool = False) -> Why | None:
    """The smallest part of an unsolvable level that cannot be done, as far as limits allow; None without any parts.

    Raises Refuted where a proof is wrong, or all of the level can be done.
    """
    kinds = [each for each in (rules.parts() if rules.parts is not None else ()) if each.objects(level)]
    begun: list[tuple[Parts, Search]] = []
    small: list[tuple[Parts, Core]] = []
    for place, parts in enumerate(kinds):
        part = _share(watch, SEARCH / (len(kinds) + 1 - place))
        ask = partial(_asked, parts, level, many=many)
        objects = parts.objects(level)
        if parts.whole(level) or _is_impossible(ask, objects, part):
            begun.append((parts, Search(objects, ask)))
            # One of another kind is worth it where it has fewer objects.
            core = begun[-1][1].small(part, min([SMALL, *(len(core.kept) - 1 for _, core in small)]))
            if core is not None:
                small.append((parts, core))
    if small:
        return _told(*small[-1], level, watch)
    if not begun:
        return None
    parts, search = begun[0]
    return _told(parts, search.any_size(_share(watch, SEARCH)), level, watch)


def _share(watch: Watch, part: float) -> Watch:
    """A watch over a part of the time that is left."""
    left = watch.left
    return watch.part(replace(watch.limits, seconds=None if left is None else part * left))


def _is_impossible(ask: Ask, objects: tuple[str, ...], watch: Watch) -> bool:
    try:
        return not ask(frozenset(objects), watch).possible
    except LIMITS:
        return False


def _asked(parts: Parts, level: Any, part: Part, watch: Watch, *, many: bool) -> Answer:
    """Can a part of the level be done? Raises LimitReached."""
    if not part:
        return Answer(True, part)
    model = parts.model(level, part)
    if constant(model.goal) is False:
        return Answer(False, part)
    verdict = _decided(model, watch, many=many)
    if isinstance(verdict, Unknown):
        raise LimitReached(verdict.reason)
    if isinstance(verdict, Reachable):
        return Answer(True, parts.satisfied(level, part, verdict.trace.states[-1]))
    return Answer(False, part)


def _decided(model: Model, watch: Watch, *, many: bool) -> Verdict:
    """Most questions are small: of those, one engine is enough, whose answers are always the same."""
    if model.actions:
        part = watch.part(replace(watch.limits, seconds=watch.left, nodes=SMALL_NODES))
        verdict = engine("forward")(model, ANY, part)
        if not isinstance(verdict, Unknown):
            return verdict
        watch.check()
    return auto(model, ANY, watch, many=many).verdict


def _told(parts: Parts, core: Core, level: Any, watch: Watch) -> Why:
    """The core with its proof and its words, as far as there is time for these."""
    part = frozenset(core.kept)
    why = Why(
        kind=parts.kind,
        one=parts.one,
        objects=core.kept,
        of=len(parts.objects(level)),
        words="",
        smallest=core.smallest,
        minimal=core.minimal,
        below=core.below,
        reason=core.reason,
        checked=False,
        drawn=parts.draw(level, part),
    )
    try:
        if not why.is_whole:
            model = parts.model(level, part)
            proof = _proof(model, watch)
            check_proof(model, proof, watch)
            why = replace(why, proof=proof, checked=True)
        words = parts.words(level, part, watch)
    except LIMITS:
        words = f"these {len(part)} {parts.kind if len(part) > 1 else parts.one} already cannot be done"
    return replace(why, words=words)


def _proof(model: Model, watch: Watch) -> Proof:
    """That the goal cannot be reached: by an invariant, which is nothing where the goal is none. Raises LimitReached."""
    if constant(model.goal) is False:
        return Proof(Circuit([str(b) for b in model.bits]), (TRUE,))
    return prove_unreachable(model, watch)


def part_of(rules: Puzzle, level: Any, kind: str, objects: tuple[str, ...]) -> Model:
    """The model of a part of a level. Raises Refuted where the level has no such part, or LimitReached."""
    parts = next((each for each in (rules.parts() if rules.parts is not None else ()) if each.kind == kind), None)
    if parts is None:
        raise Refuted(f"levels of {rules.name} have no parts called {kind!r}")
    known = set(parts.objects(level))
    if len(set(objects)) < len(objects) or not objects or not set(objects) <= known:
        raise Refuted(f"{', '.join(objects)[:80]!r} are not some {kind} of the level")
    return parts.model(level, frozenset(objects))
