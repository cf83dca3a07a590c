"""Steady places: they can always be filled and emptied again, in every state, so a search can leave them out.

A set of places is *steady* if each of them

- is on a piece that holds one kind of item, or in an assembler,
- can be filled by moves from outside or from places of the set, and
- if places outside the set lead to it, can be emptied by moves to places of the set or out of the level.

Filling and emptying are well-founded, and they are possible in every state. A place is filled along its chain of
suppliers: the nearest item on the chain moves on, since all places between are empty. An assembler without a
product works once its ingredients are there, and none of them needs the product. A place is emptied after the next
place on its chain of drains. Both leave the places outside the set unchanged. So for the other places, the set is
an unlimited supply and an unlimited drain, and a search can leave it out. In a valid layout each piece carries one
item, and all places that items reach are steady.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from puzzlemc.encodings.factorio.flow.carrying import GONE, ON, WAITS, Move, Place, move_name, work_name
from puzzlemc.screens.factorio import Cell

Links = Mapping[Place, Sequence[Place]]  # by place: the places that its item can reach in one step


@dataclass(frozen=True)
class Assembler:
    """An assembler: the places of its ingredients, and the place of its product."""

    centre: Cell
    recipe: str
    needs: tuple[Place, ...]
    made: Place


@dataclass(frozen=True)
class Steady:
    """The largest steady set of a layout.

    supply    by place of the set: the place that fills it, or the assembler that fills its place of the product;
              in an order in which each place follows its supplier
    drainage  by place of the set that can be emptied: the place that its item goes to, or the assembler that uses
              it as an ingredient
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
    """The places of a set that items reach, each with its supplier, in an order in which suppliers come first."""
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
    """The places of a set that can be emptied, each with its drain."""
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
    """The largest steady set. `links` must contain only places that items reach."""
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
    """A run from the empty factory, in which steady places are filled and emptied on demand."""

    steady: Steady
    moves: list[Move] = field(default_factory=list)
    held: set[Place] = field(default_factory=set)

    def take(self, move: Move, needs: Sequence[Place] = ()) -> None:
        """Make a move that is enabled up to steady places; `needs` are the ingredients if an assembler works."""
        for place in (move.before, *needs):
            if place is not None and place in self.steady:
                self.fill(place)
        if move.after is not None and move.after in self.steady:
            self.empty(move.after)
        self._do(move, needs)

    def fill_all(self) -> None:
        """Fill all steady places, if no item of them leaves the level."""
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
