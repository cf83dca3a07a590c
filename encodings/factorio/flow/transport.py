"""The flow of items along a layout as transition systems, and CTL properties of them.

journey   one item, from any source. The state is its place; a step leads to each place that it can reach next.
          Branches are nondeterministic
factory   all items at once. The state is the item on each piece and the items of each assembler; at first all are
          empty. Steps interleave. Steady places (`steady.py`) are left out as unlimited supplies and drains. In a
          layout in which each piece carries one item, all places are steady

The properties, checked by the engines of `puzzlemc query`:

journey   AG EF arrived            every item can always reach an assembler that needs it, or an output. A
                                   counterexample is the path of a lost item to its last place, or round a cycle
factory   AG !stuck                the items never all block each other
          AG EF on@(r,c):item      every output can always receive another item
          AG EF made@(r,c):item    every assembler can always work again

The models abstract from rates and time, so a possible step may be slow; from the two lanes and the length of a
belt; and from the amounts in a recipe: one item of each ingredient makes one product. An inserter that points at
an assembler takes only its ingredients, as in the game. `carrying.py` states the same rules independently, and
replays every run that is shown.
"""

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise

from puzzlemc.encodings.factorio.flow import carrying
from puzzlemc.encodings.factorio.flow.carrying import (
    GONE,
    IN,
    MADE,
    ON,
    WAITS,
    Held,
    Move,
    Place,
    Yard,
    move_name,
    work_name,
)
from puzzlemc.encodings.factorio.flow.jams import Step, future, random_runs, shortened
from puzzlemc.encodings.factorio.flow.steady import Assembler, Links, Run, Steady, filled, steady
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.expressions import Or
from puzzlemc.mc.model.formula import FALSE, Bit, Expression, Formula, State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import Variable, binary, boolean
from puzzlemc.mc.temporal.check import query
from puzzlemc.mc.temporal.parser import parse
from puzzlemc.mc.temporal.property import STUCK, Property
from puzzlemc.screens.factorio import OPPOSITE, Cell, Layout, Level, Recipe, area, place_name, where

MOVE = {"moves": 1}
SHOWN = 12  # moves of a run that a message lists
EMPTY = ""


@dataclass(frozen=True)
class Journey:
    """The model of one item, and the variable of its place."""

    model: Model
    at: Variable


@dataclass(frozen=True)
class Factory:
    """The model of all items. Its variables are the item on each piece, and the items of each assembler.

    moves   by action: the move, and the ingredients if an assembler works
    """

    model: Model
    holds: Mapping[Cell, Variable]
    has: Mapping[Place, Variable]
    moves: Mapping[str, tuple[Move, tuple[Place, ...]]]

    def decode(self, state: State) -> Held:
        """The places of the items of a state."""
        on = {Place(ON, cell, str(variable.read(state))) for cell, variable in self.holds.items()}
        return frozenset({place for place in on if place.item} | {p for p, v in self.has.items() if v.read(state)})


def links(level: Level, layout: Layout) -> dict[Place, list[Place]]:
    """By place that an item can reach: the places that it can reach from there in one step."""
    belts, inserters = _directions(level, layout.belts), _directions(level, layout.inserters)
    inserters = {cell: word for cell, word in inserters.items() if cell not in belts}
    names = {recipe.name: recipe for recipe in level.recipes}
    machine = {
        cell: (centre, names[name]) for centre, name in layout.assemblers if name in names for cell in area(centre)
    }
    onto: dict[Cell, list[Cell]] = defaultdict(list)  # by piece: the pieces that receive its items
    into: dict[Cell, tuple[Cell, Recipe]] = {}  # by inserter: the assembler that it points at
    leaving: dict[Cell, list[Cell]] = defaultdict(list)  # by assembler: the inserters that take from it
    for cell, word in (belts | inserters).items():
        ahead = level.ahead(cell, word)
        if ahead in belts and belts[ahead] != OPPOSITE[word]:
            onto[cell].append(ahead)
        elif cell in inserters and ahead in machine and ahead not in belts:
            into[cell] = machine[ahead]
    for cell, word in inserters.items():
        behind = level.ahead(cell, OPPOSITE[word])
        if behind in belts:
            onto[behind].append(cell)
        elif behind in machine:
            leaving[machine[behind][0]].append(cell)
    out = {(port.cell, port.item) for port in level.outputs}
    found: dict[Place, list[Place]] = {}
    waiting = [Place(WAITS, port.cell, port.item) for port in level.inputs]
    waiting += [Place(MADE, centre, names[name].gives[0]) for centre, name in layout.assemblers if name in names]
    while waiting:
        place = waiting.pop()
        if place in found:
            continue
        kind, cell, item = place
        next_to = {WAITS: [cell] if cell in belts else [], ON: onto[cell], MADE: leaving[cell]}.get(kind, [])
        after = [Place(ON, to, item) for to in next_to if to not in into or into[to][1].rate(item)]
        if kind == ON and cell in into and into[cell][1].rate(item):
            after.append(Place(IN, into[cell][0], item))
        if kind == ON and cell in belts and (cell, item) in out:
            after.append(Place(GONE, cell, item))
        found[place] = after
        waiting += after
    return found


def _directions(level: Level, grid: Sequence[Sequence[str]]) -> dict[Cell, str]:
    return {cell: grid[cell[0]][cell[1]] for cell in level.cells() if grid[cell[0]][cell[1]]}


def journey(places: Mapping[Place, Sequence[Place]], start: Place) -> Journey:
    """The model of one item that starts at a place."""
    at = binary("at", sorted(places))
    actions = tuple(
        Action(move_name(place, after), at.literals(place), at.literals(after), MOVE)
        for place in sorted(places)
        for after in places[place]
    )
    arrived: Expression = Or(*[at.equals(place) for place in sorted(places) if place.kind in (IN, GONE)])
    return Journey(Model((at,), at.literals(start), actions, arrived, {"arrived": arrived}), at)


def assemblers(level: Level, layout: Layout) -> list[Assembler]:
    """The assemblers of recipes of the level, as places."""
    names = {recipe.name for recipe in level.recipes}
    found = []
    for centre, name in sorted(dict(layout.assemblers).items()):
        if name in names:
            recipe = level.recipe(name)
            needs = tuple(Place(IN, centre, item) for item, _ in recipe.takes)
            found.append(Assembler(centre, name, needs, Place(MADE, centre, recipe.gives[0])))
    return found


def factory(places: Links, machines: Sequence[Assembler], steady: Container[Place] = ()) -> Factory:
    """The model of all items, from the empty factory.

    Steady places are left out: an item can always come from such a place, and can always go to one.
    """
    kinds: dict[Cell, list[str]] = defaultdict(list)
    for place in sorted(places):
        if place.kind == ON and place not in steady:
            kinds[place.cell].append(place.item)
    holds = {cell: binary("holds", [EMPTY, *items], *cell) for cell, items in kinds.items()}
    inside = {place for place in places if place.kind in (IN, MADE)}
    inside |= {place for machine in machines for place in (*machine.needs, machine.made)}
    has = {
        place: boolean(place.kind, *place.cell, number)
        for number, place in enumerate(sorted(inside))
        if place not in steady
    }

    def literals(place: Place, here: bool) -> dict[Bit, bool]:
        if place.kind == ON and place not in steady:
            return holds[place.cell].literals(place.item if here else EMPTY)
        return has[place].literals(here) if place in has else {}

    actions = []
    moves: dict[str, tuple[Move, tuple[Place, ...]]] = {}
    for place, afters in sorted(places.items()):
        for after in afters:
            guard = {**literals(place, here=True), **literals(after, here=False)}
            update = {**literals(place, here=False), **literals(after, here=True)}
            if not update:  # between steady places
                continue
            name = move_name(place, after)
            moves[name] = Move(name, place, after), ()
            actions.append(Action(name, guard, update, MOVE))
    for machine in machines:
        if machine.made in steady:
            continue
        guard = {b: value for need in machine.needs for b, value in literals(need, here=True).items()}
        update = {b: value for need in machine.needs for b, value in literals(need, here=False).items()}
        guard |= literals(machine.made, here=False)
        update |= literals(machine.made, here=True)
        name = work_name(machine.centre, machine.recipe)
        moves[name] = Move(name, None, machine.made, machine.centre), machine.needs
        actions.append(Action(name, guard, update, MOVE))
    atoms: dict[str, Formula] = {
        atom(place): literals(place, here=True)
        for place in sorted(places)
        if place not in steady and place.kind in (ON, MADE)
    }
    variables = (*holds.values(), *has.values())
    init = {b: False for variable in variables for b in variable.bits}
    return Factory(Model(variables, init, tuple(actions), FALSE, atoms), holds, has, moves)


def atom(place: Place) -> str:
    """The name of the atom for: an item is at this place."""
    return f"{place.kind}@{place_name(place.cell)}:{place.item}"


@dataclass(frozen=True)
class Fault:
    """A violated property of the flow in words, and the moves of a counterexample."""

    words: str
    run: tuple[str, ...]

    def __str__(self) -> str:
        if not self.run:
            return self.words
        more = len(self.run) - SHOWN
        run = self.run if more <= 1 else (*self.run[: SHOWN // 2], f"… {more} moves …", *self.run[-SHOWN // 2 :])
        return f"{self.words}: {', '.join(run)}"


@dataclass(frozen=True)
class Flow:
    """The result of the check of the flow of items along a layout.

    arrive   whether every item can reach an assembler that needs it, or an output
    goes_on  whether items never block each other, and every assembler and every output is always served again;
             None if a limit ended the check
    faults   the violated properties
    reason   the limit that ended the check
    """

    arrive: bool
    goes_on: bool | None
    faults: tuple[Fault, ...]
    reason: str | None = None


@dataclass(frozen=True)
class _Claim:
    """A property: an item can always reach `place` again; without a place: some item can always move."""

    words: str  # the fault if it does not hold
    place: Place | None = None

    @property
    def formula(self) -> Property:
        if self.place is None:
            return Property("AG", (Property("not", (Property("atom", name=STUCK),)),))
        return Property("AG", (Property("EF", (Property("atom", name=atom(self.place)),)),))


def flow(level: Level, layout: Layout, budget: Budget) -> Flow:
    """Check the flow along any layout that is as large as the level.

    Raises LimitReached, and Refuted if the plain rules do not confirm a run.
    """
    places, yard = links(level, layout), carrying.yard(level, layout)
    lost = [_way(yard, places, start, budget) for start in carrying.starts(yard)]
    faults = [fault for fault in lost if fault is not None]
    machines = assemblers(level, layout)
    claims = [_Claim("in the end nothing moves any more")]
    for machine in machines:
        words = f"{machine.recipe} in {where(machine.centre)} cannot work any more"
        claims.append(_Claim(words, machine.made))
    for port in level.outputs:
        words = f"{port.item} cannot come to {where(port.cell)} any more"
        claims.append(_Claim(words, Place(ON, port.cell, port.item)))
    # Places that no item reaches are left out first.
    come = filled(places, machines, places)
    places = {place: after for place, after in places.items() if place in come or place.kind == WAITS}
    machines = [machine for machine in machines if machine.made in come]
    still = steady(places, machines)
    open_claims = [claim for claim in claims if not _is_steady(claim, still)]
    made = factory(places, machines, still)
    possible = [claim for claim in open_claims if claim.place is None or claim.place in come]
    runs = _jammed(made, still, possible, budget)
    left = [claim for claim in possible if claim not in runs]
    # One query decides whether all claims hold. Only if not, each claim gets a query of its own.
    reason = None
    holds: bool | None = True
    if left:
        whole = query(made.model, reduce(_both, (claim.formula for claim in left)), budget, "symbolic")
        holds, reason = whole.holds, whole.reason
    blocked = False
    for claim in open_claims:
        moves = runs.get(claim)
        if claim not in possible:
            moves = []
        elif claim in left and holds is False:
            answer = query(made.model, claim.formula, budget, "symbolic")
            reason = reason or answer.reason
            if answer.holds is False and answer.evidence is not None:
                moves = [action.name for action in answer.evidence.trace.actions]
        if moves is not None:
            run = _run(yard, made, still, claim, moves)
            faults.append(Fault(claim.words if run else claim.words.replace(" any more", " at all"), run))
            blocked = True
    return Flow(not any(lost), False if blocked else None if reason else True, tuple(faults), reason)


def _jammed(made: Factory, still: Steady, claims: Sequence[_Claim], budget: Budget) -> dict[_Claim, list[str]]:
    """The claims that random runs refute, each with the moves of such a run."""
    steps = []
    for name, (move, needs) in made.moves.items():
        takes = tuple(place for place in (move.before, *needs) if place is not None and _is_held(place, still))
        gives = move.after if move.after is not None and _is_held(move.after, still) else None
        steps.append(Step(name, takes, gives))
    found: dict[_Claim, list[str]] = {}
    for run, end, is_stuck in random_runs(steps) if claims else ():
        budget.check()
        come = future(steps, end)
        for claim in claims:
            if claim in found:
                continue
            if claim.place is None and is_stuck:
                found[claim] = [step.name for step in run]
            elif claim.place is not None and claim.place not in come:
                found[claim] = [step.name for step in shortened(steps, run, claim.place)]
        if len(found) == len(claims):
            break
    return found


def _is_held(place: Place, still: Steady) -> bool:
    """Is the place a part of the state of the factory?"""
    return place.kind not in (WAITS, GONE) and place not in still


def _is_steady(claim: _Claim, still: Steady) -> bool:
    """Does a claim hold because of steady places alone?"""
    return still.serves() if claim.place is None else claim.place in still


def _both(one: Property, other: Property) -> Property:
    return Property("and", (one, other))


def _way(yard: Yard, places: Mapping[Place, Sequence[Place]], start: Place, budget: Budget) -> Fault | None:
    """The fault of an item that starts at a place and gets lost; None if it can always arrive."""
    made = journey(places, start)
    reaches = query(made.model, parse("AG EF arrived"), budget)
    if reaches.reason is not None:
        raise LimitReached(reaches.reason)
    if reaches.holds:
        return None
    stays = query(made.model, parse("AG (stuck -> arrived)"), budget)
    evidence = (reaches if stays.holds else stays).evidence
    assert evidence is not None
    way = [made.at.read(state) for state in evidence.trace.states]
    found = [place for place in way if isinstance(place, Place)]
    while stays.holds and found[-1] not in found[:-1]:  # go on until a place repeats
        found.append(next(carrying.ways(yard, found[-1])))
    for one, other in pairwise(found):
        if other not in carrying.ways(yard, one):
            raise Refuted(f"{move_name(one, other)} is not a legal move")
    if not stays.holds and next(carrying.ways(yard, found[-1]), None) is not None:
        raise Refuted(f"{start.item} does not stay in {where(found[-1].cell)}")
    end = f"{where(found[-1].cell)} and {'goes round for ever' if stays.holds else 'goes no further'}"
    words = f"{start.item} from {where(start.cell)} is lost: it comes to {end}"
    return Fault(words, tuple(move_name(one, other) for one, other in pairwise(found)))


def _run(yard: Yard, made: Factory, still: Steady, claim: _Claim, moves: Sequence[str]) -> tuple[str, ...]:
    """A counterexample to a claim: moves of the model, and between them moves of steady places.

    Raises Refuted if the plain rules do not allow a move.
    """
    run = Run(still)
    for name in moves:
        run.take(*made.moves[name])
    if claim.place is None:
        run.fill_all()
    held: Held = frozenset()
    for number, move in enumerate(run.moves, 1):
        known = carrying.follow(yard, held, move)
        if known is None:
            raise Refuted(f"step {number}: {move.name} is not a legal move")
        held = known
    if held != run.held:
        raise Refuted("the run leads to something else")
    if claim.place is None and next(carrying.moves(yard, held), None) is not None:
        raise Refuted("something can still move at the end of the run")
    return tuple(move.name for move in run.moves)
