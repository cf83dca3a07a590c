"""Comparison of two stores by the digests of levels: new and missing levels, different verdicts and costs."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from puzzlemc.reports.batch import sql
from puzzlemc.reports.batch.expect import Expectation
from puzzlemc.reports.batch.store import Store
from puzzlemc.reports.output.words import number


@dataclass(frozen=True)
class Difference:
    """The difference between two stores.

    changed  levels in both with different verdicts or costs: the name, the old answer, the new one
    new      the number of levels only in the new store, `gone` of those only in the old one
    same     the number of levels in both with the same answer
    seconds  the processor time for `same`, in the old store and in the new one
    apart    the number of levels in both without answers to the same options: these are not compared
    """

    changed: tuple[tuple[str, Expectation, Expectation], ...]
    new: int
    gone: int
    same: int
    seconds: tuple[float, float]
    apart: int = 0

    @property
    def summary(self) -> str:
        """The difference in words."""
        before, now = self.seconds
        words = f"{number(self.same)} the same, {number(len(self.changed))} changed, {number(self.new)} new, "
        return (
            words + f"{number(self.gone)} only in the old store; the same took {now:.2f} s, before {before:.2f} s"
        )


def differences(store: Store, old: Store) -> Difference:
    """Compare two stores level by level, for the same options."""
    changed = []
    counts = {"new": 0, "gone": 0, "same": 0}
    seconds, apart = [0.0, 0.0], 0
    pairs = _side_by_side(old.each(sql.ANSWERS_BY_CONTENT), store.each(sql.ANSWERS_BY_CONTENT))
    for _, answers in groupby(pairs, key=_content):
        kinds = set[str]()
        for before, now in answers:
            if before is None or now is None:
                kind = "new" if before is None else "gone"
                counts[kind] += 1
                kinds.add(kind)
                continue
            kinds.add("both")
            if (was := _answer(before)) != (found := _answer(now)):
                changed.append((str(now[2]), was, found))
            else:
                counts["same"] += 1
                seconds = [seconds[0] + before[8], seconds[1] + now[8]]
        apart += kinds == {"new", "gone"}
    return Difference(tuple(changed), **counts, seconds=(seconds[0], seconds[1]), apart=apart)


def _content(pair: tuple["Line | None", "Line | None"]) -> str:
    """The digest of the level of a pair."""
    return next(line[0] for line in pair if line is not None)


def _answer(line: "Line") -> Expectation:
    verdict, cost, metric, optimal, bound = line[3:8]
    return Expectation(verdict, cost, metric, None if optimal is None else bool(optimal), bound)


Line = tuple[str, str, str, str, int | None, str | None, int | None, int | None, float]


def _side_by_side(
    ones: Iterator[tuple[object, ...]], others: Iterator[tuple[object, ...]]
) -> Iterator[tuple[Line | None, Line | None]]:
    """Merge sorted lines into pairs of the same level and options; None if one side lacks it."""
    one, other = next(ones, None), next(others, None)
    while one is not None or other is not None:
        key = None if one is None else one[:2]
        key_too = None if other is None else other[:2]
        if other is None or (one is not None and key is not None and key < key_too):  # type: ignore[operator]
            yield one, None  # type: ignore[misc]
            one = next(ones, None)
        elif one is None or key != key_too:
            yield None, other  # type: ignore[misc]
            other = next(others, None)
        else:
            yield one, other  # type: ignore[misc]
            one, other = next(ones, None), next(others, None)
