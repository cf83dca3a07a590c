"""Places of a layout that can be filled again and again, whatever stands on the others: what need not be searched.

A set of places is *steady* if each of them

- is on a piece that holds one kind of item, or in an assembler,
- can be filled by moves from outside or from places of the set, and
- if places outside the set lead to it, can be emptied by moves to places of the set or out of the level.

Filling and emptying are well-founded, and they work in every state. A place is filled along its line of supply:
the nearest item on it goes on, for all places between are empty. An empty assembler works once its inputs are
filled, and none of these needs what it makes. A place is emptied when the next one on its line of drainage is.
Both leave the places outside the set as they are. So the set acts on the others like an endless supply and an
endless drain, and a search may leave it out. In a layout that keeps the rules each piece has one item, and then
all places that items come to are steady.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from puzzlemc.encodings.factorio.flow.carrying import GONE, ON, WAITS, Move, Place, move_name, work_name
from puzzlemc.screens.factorio import Cell

Links = Mapping[Place, Sequence[Place]]  # by place, where its item goes next


@dataclass(frozen=True)
class Assembler:
    """An assembler as places: those of what its recipe takes, and the one of what it makes."""

    centre: Cell
    recipe: str
    needs: tuple[Place, ...]
    made: Place


@dataclass(frozen=True)
class Steady:
    """The largest steady set of a layout.

    supply    by place of the set, the place that fills it; an assembler fills the place of what it makes. A place
              stands behind those that fill it
    drainage  by place of the set that can be emptied, where its item goes; an assembler empties the places of what
              it takes
    """

    supply: Mapping[Place, Place | Assembler]
    drainage: Mapping[Place, Place | Assembler]

    def __contains__(self, place: object) -> bool:
        return place in self.supply

    def serves(self) -> bool:
        """Does an item of the set leave the level?"""
        return any(isinstance(end, Place) and end.kind == GONE for end in self.drainage.values())


def filled(
    links: Links, assemblers: Iterable[Assembler], among: Iterable[Place]
) -> dict[Place, Place | Assembler]:
    """The places among some that items come to, with what fills each; what fills a place stands before it."""
    allowed = set(among)
    found: dict[Place, Place | Assembler] = {}
    missing = {machine: set(machine.needs) for machine in assemblers}
    users: dict[Place, list[Assembler]] = defaultdict(list)
    for machine, needs in missing.items():
        for need in needs:
            users[need].append(machine)
    waiting = [place for place in links if place.kind == WAITS]
    for place in waiting:
        for after in links.get(place, ()):
            if after in allowed and after not in found:
                found[after] = place
                waiting.append(after)
        for machine in users[place]:
            missing[machine].discard(place)
            if not missing[machine] and machine.made in allowed and machine.made not in found:
                found[machine.made] = machine
                waiting.append(machine.made)
    return found


def _drained(
    links: Links, assemblers: Iterable[Assembler], supply: Mapping[Place, Place | Assembler]
) -> dict[Place, Place | Assembler]:
    """The places of a set that can be emptied, with where the item goes."""
    found: dict[Place, Place | Assembler] = {}
    machines = [machine for machine in assemblers if all(need in supply for need in machine.needs)]
    before: dict[Place, list[Place]] = defaultdict(list)
    for place in supply:
        for after in links[place]:
            before[after].append(place)
    waiting = [place for place in links if place.kind == GONE]
    for place in waiting:
        for feeder in before[place]:
            if feeder not in found:
                found[feeder] = place
                waiting.append(feeder)
        for machine in machines:
            if machine.made == place:
                for need in machine.needs:
                    if need not in found:
                        found[need] = machine
                        waiting.append(need)
    return found


def steady(links: Links, assemblers: Sequence[Assembler]) -> Steady:
    """The largest steady set. `links` has only places that items come to."""
    kinds = Counter(place.cell for place in links if place.kind == ON)
    feeders: dict[Place, list[Place]] = defaultdict(list)
    for place, afters in links.items():
        for after in afters:
            feeders[after].append(place)
    allowed = {place for place in links if place.kind not in (WAITS, GONE) and kinds[place.cell] <= 1}
    while True:
        supply = filled(links, assemblers, allowed)
        drainage = _drained(links, assemblers, supply)
        kept = {
            place
            for place in supply
            if place in drainage or all(one in supply or one.kind == WAITS for one in feeders[place])
        }
        if len(kept) == len(supply):
            return Steady(supply, drainage)
        allowed = kept


@dataclass
class Run:
    """Moves from an empty factory on; steady places are filled and emptied as they are needed."""

    steady: Steady
    moves: list[Move] = field(default_factory=list)
    held: set[Place] = field(default_factory=set)

    def take(self, move: Move, needs: Sequence[Place] = ()) -> None:
        """Make a move that is possible but for steady places; `needs` are what an assembler takes."""
        for place in (move.before, *needs):
            if place is not None and place in self.steady:
                self.fill(place)
        if move.after is not None and move.after in self.steady:
            self.empty(move.after)
        self._do(move, needs)

    def fill_all(self) -> None:
        """Fill all steady places, where none of them leads out."""
        for place in reversed(list(self.steady.supply)):
            self.fill(place)

    def fill(self, place: Place) -> None:
        """Fill a steady place."""
        line = [place]
        while line[-1] not in self.held and line[-1].kind != WAITS:
            source = self.steady.supply[line[-1]]
            if isinstance(source, Assembler):
                for need in source.needs:
                    self.fill(need)
                self._work(source)
            else:
                line.append(source)
        while len(line) > 1:
            start = line.pop()
            self._do(Move(move_name(start, line[-1]), start, line[-1]))

    def empty(self, place: Place) -> None:
        """Empty a steady place that can be emptied."""
        if place not in self.held:
            return
        end = self.steady.drainage[place]
        if isinstance(end, Assembler):
            self.empty(end.made)
            for need in end.needs:
                self.fill(need)
            self._work(end)
            return
        if end.kind != GONE:
            self.empty(end)
        if place in self.held:  # emptying what is ahead may have used it
            self._do(Move(move_name(place, end), place, end))

    def _work(self, machine: Assembler) -> None:
        name = work_name(machine.centre, machine.recipe)
        self._do(Move(name, None, machine.made, machine.centre), machine.needs)

    def _do(self, move: Move, needs: Sequence[Place] = ()) -> None:
        self.moves.append(move)
        self.held -= {move.before, *needs} - {None}
        if move.after is not None and move.after.kind != GONE:
            self.held.add(move.after)
