"""Two stores compared, level by level, by what they are: what is new or gone, which verdict or cost differs."""

from collections.abc import Iterator
from dataclasses import dataclass

from puzzlemc.reports.batch.expect import Told
from puzzlemc.reports.batch.store import Store
from puzzlemc.reports.output.words import number

_ALL = (
    "SELECT hex(l.content), c.told, l.first, r.verdict, r.cost, r.metric, r.optimal, r.bound, r.seconds "
    "FROM levels l JOIN results r ON r.level = l.id JOIN choices c ON c.id = r.choice ORDER BY l.content, c.told"
)


@dataclass(frozen=True)
class Difference:
    """What differs between two stores.

    changed  levels of both with another verdict or cost: the name, before, and now
    new      levels that only this one has, `gone` those that only the old one has
    same     levels of both with the same answer
    seconds  of processor time for those, before and now
    """

    changed: tuple[tuple[str, Told, Told], ...]
    new: int
    gone: int
    same: int
    seconds: tuple[float, float]

    @property
    def summary(self) -> str:
        """In words."""
        before, now = self.seconds
        words = f"{number(self.same)} the same, {number(len(self.changed))} changed, {number(self.new)} new, "
        return (
            words + f"{number(self.gone)} only in the old store; the same took {now:.2f} s, before {before:.2f} s"
        )


def differences(store: Store, old: Store) -> Difference:
    """Compare what two stores hold, level by level, for the same options."""
    changed = []
    counts = {"new": 0, "gone": 0, "same": 0}
    seconds = [0.0, 0.0]
    for before, now in _side_by_side(old.each(_ALL), store.each(_ALL)):
        if before is None or now is None:
            counts["new" if before is None else "gone"] += 1
        elif (was := _told(before)) != (found := _told(now)):
            changed.append((str(now[2]), was, found))
        else:
            counts["same"] += 1
            seconds = [seconds[0] + before[8], seconds[1] + now[8]]
    return Difference(tuple(changed), **counts, seconds=(seconds[0], seconds[1]))


def _told(line: "Line") -> Told:
    verdict, cost, metric, optimal, bound = line[3:8]
    return Told(verdict, cost, metric, None if optimal is None else bool(optimal), bound)


Line = tuple[str, str, str, str, int | None, str | None, int | None, int | None, float]


def _side_by_side(
    ones: Iterator[tuple[object, ...]], others: Iterator[tuple[object, ...]]
) -> Iterator[tuple[Line | None, Line | None]]:
    """The lines of both, which are in order, in pairs of one level and options; None where one has none."""
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
