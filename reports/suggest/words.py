"""Words of suggestions: sets of edits, and a level before and after a change."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from puzzlemc.encodings.puzzle.design.changes import Edit
from puzzlemc.encodings.puzzle.design.measures import Number
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.words import counted, number
from puzzlemc.reports.suggest.suggestion import PLACED, Suggestion, Suggestions

BETWEEN = "   "  # columns between the two drawings
MOST_SAID = 5  # edits in words
MARK = "^"  # under a changed cell


def as_text(found: Suggestions) -> str:
    """The answer for people: what is known in words, and each suggestion with the level before and after it."""
    name = " · ".join(filter(None, (found.result.id, found.result.title)))
    lines = [plain(f"{name}: {found.result.verdict}"), *(plain(each) for each in found.words)]
    for place, each in enumerate(found.found, 1):
        lines += ["", plain(f"{place}. {edits_in_words(each.edits)}"), plain(_costs(found, each))]
        lines.append(side_by_side(found.drawing, each.drawing))
    return "\n".join(lines)


def _costs(found: Suggestions, each: Suggestion) -> str:
    """The least cost and the numbers before and after a change. Other costs of the solutions are not the least."""
    results = (found.result, each.result)
    words = " → ".join(result.cost_in_words(result.claimed) or result.verdict for result in results)
    shown = [name for name in each.after if name not in each.result.costs and name != PLACED]
    words += "".join(f"; {title_of(name)} {each.before.get(name, '-')} → {each.after[name]}" for name in shown)
    return words + " (the best found)" * (each.top and not each.best)


def edits_in_words(edits: Sequence[Edit]) -> str:
    """What is changed, as one sentence; of many edits, the first ones."""
    said = edits if len(edits) <= MOST_SAID else edits[: MOST_SAID - 1]
    more = len(edits) - len(said)
    return "; ".join(edit.words for edit in said) + (f"; and {more} more, which are marked" if more else "")


def sets_of(size: int, count: int) -> str:
    """What a set of this number of edits is called: a single edit, a pair, a set."""
    name = {1: "single edit", 2: "pair of edits", 3: "triple of edits"}.get(size, f"set of {size} edits")
    if count == 1:
        return name
    return "single edits" if size == 1 else name.replace(" of ", "s of ", 1)


class Smallest(NamedTuple):
    """What is known of the smallest changes that reach a wish.

    size      the number of their edits; None if no change is known
    count     how many there are
    complete  are these all changes with this number of edits?
    least     no change with fewer edits reaches the wish
    most      the most edits that were allowed
    proof     how that is proved, in words; may be empty
    reason    the limit that came first
    """

    size: int | None
    count: int  # type: ignore[assignment]  # it hides a method of tuples
    complete: bool
    least: int
    most: int
    proof: str = ""
    reason: str | None = None

    def in_words(self, does: str) -> str:
        """A sentence; `does` is what a change does, a verb in the singular first: `makes it solvable`."""
        proof = f" ({self.proof})" if self.proof else ""
        smaller = none_of(self.least - 1)
        if self.size is None:
            if self.least > self.most:
                return f"{none_of(self.most)} {does}{proof}"
            known = f"{smaller} {does}{proof}; " if smaller else ""
            open_ = f"whether a {sets_of(max(1, self.least), 1)} {does} is not known"
            return f"{known}{open_}: {self.reason or 'not all were tried'}"
        verb, _, rest = does.partition(" ")
        many = f"{'' if self.complete else 'at least '}{number(self.count)} {sets_of(self.size, self.count)}"
        found = f"{many} {verb if self.count == 1 else verb.removesuffix('s')} {rest}"
        found += f" ({self.reason})" if self.reason and not self.complete else ""
        if self.size > self.least:
            fewer = f"at least {self.least} must be made{proof}" if self.least else "there may be smaller changes"
            return f"{found}, the fewest edits found; {fewer}"
        return f"{smaller} {does}{proof}; {found}" if smaller else found


def single_or_sets(size: int) -> str:
    """Sets of this number of edits, in general."""
    return "one edit" if size == 1 else f"{size} edits"


def measure_in_words(value: Number, name: str) -> str:
    """The value of a measure or of a metric: `7 changes of box`, `12 pushes`, `lost share 0.3`."""
    title = title_of(name)
    return counted(value, title) if isinstance(value, int) and name.endswith("s") else f"{title} {value}"


def title_of(name: str) -> str:
    """A number of levels as it is called in sentences."""
    return "sets of pushes" if name == "solution_sets" else name.replace("_", " ")


def none_of(size: int) -> str:
    """No change of at most this number of edits; empty for none."""
    if size < 1:
        return ""
    return "no single edit" if size == 1 else f"no change of at most {size} edits"


def not_solved_again(count: int) -> str:
    """Say that `count` of the changed levels that a search has found are left out."""
    are = "is" if count == 1 else "are"
    return f"{number(count)} of them could not be solved again within the limits, and {are} not shown"


def side_by_side(before: str, after: str, between: str = BETWEEN) -> str:
    """Two drawings beside each other. Under each line that differs, signs mark the places that do."""
    old, new = before.split("\n"), after.split("\n")
    width = max(map(len, old + new))
    lines = []
    for one, other in zip_longest(old, new, fillvalue=""):
        lines.append(f"{one:<{width}}{between}{other}".rstrip())
        length = max(len(one), len(other))
        marks = "".join(
            " " if left == right else MARK
            for left, right in zip(one.ljust(length), other.ljust(length), strict=True)
        )
        if marks.strip():
            lines.append(f"{marks:<{width}}{between}{marks}".rstrip())
    return "\n".join(lines)
