"""The flow of items along a finished layout as transition systems, and what model checking proves of it.

journey   one item, wherever it comes from: at which place it is, and a step to each place that it can go to next.
          Where ways part, any may be taken
factory   all items at once: what each piece holds, and what each assembler has, empty at first. Steps interleave

Asked in CTL, and answered by the engines that answer `puzzlemc query`:

journey   AG EF arrived            every item can come to an assembler that needs it, or out. Where not, a run
                                   shows a lost item's way: to where it stays, or round and round
factory   AG !stuck                nothing ever blocks all the rest
          AG EF full@(r,c)         whatever has happened, every output can get another item
          AG EF works@(r,c)        and every assembler can work again

What the models leave out: rates and time, so something that can happen may be slow; the two lanes of a belt, and
how many items one has room for; how many of an item a recipe takes and gives, they take and give one of each. An
inserter that gives to an assembler takes only what that needs, as in the game. What moves is written once more in
`carrying.py`, and every run that is shown is replayed by it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pyeda.boolalg.expr import Or

from puzzlemc.encodings.factorio import carrying
from puzzlemc.encodings.factorio.carrying import GONE, IN, MADE, ON, WAITS, Held, Place, Yard, move_name, work_name
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.formula import FALSE, Bit, Expression, Formula, State, conjunction
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import Action, Model
from puzzlemc.mc.temporal.check import Answer, query
from puzzlemc.mc.temporal.parser import parse
from puzzlemc.mc.variables import Variable, binary, boolean
from puzzlemc.screens.factorio_level import OPPOSITE, Cell, Layout, Level, Recipe, area

MOVE = {"moves": 1}
SHOWN = 12  # moves of a run in words
EMPTY = ""


@dataclass(frozen=True)
class Journey:
    """The model of one item, and the variable that says where it is."""

    model: Model
    at: Variable


@dataclass(frozen=True)
class Factory:
    """The model of all items. Its variables say what pieces hold, and whether assemblers have an item."""

    model: Model
    holds: Mapping[Cell, Variable]
    has: Mapping[Place, Variable]

    def decode(self, state: State) -> Held:
        """The items of a state, with their places."""
        on = {Place(ON, cell, str(variable.read(state))) for cell, variable in self.holds.items()}
        return frozenset({place for place in on if place.item} | {p for p, v in self.has.items() if v.read(state)})


def links(level: Level, layout: Layout) -> dict[Place, list[Place]]:
    """By place that an item can come to, where it goes next."""
    belts, inserters = _directions(level, layout.belts), _directions(level, layout.inserters)
    inserters = {cell: word for cell, word in inserters.items() if cell not in belts}
    names = {recipe.name: recipe for recipe in level.recipes}
    machine = {
        cell: (centre, names[name]) for centre, name in layout.assemblers if name in names for cell in area(centre)
    }
    onto: dict[Cell, list[Cell]] = defaultdict(list)  # by piece: the pieces that get what is on it
    into: dict[Cell, tuple[Cell, Recipe]] = {}  # by inserter: the assembler that it gives to
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
    """The way of one item from a place."""
    at = binary("at", sorted(places))
    actions = tuple(
        Action(move_name(place, after), at.literals(place), at.literals(after), MOVE)
        for place in sorted(places)
        for after in places[place]
    )
    arrived: Expression = Or(*[at.equals(place) for place in sorted(places) if place.kind in (IN, GONE)])
    return Journey(Model((at,), at.literals(start), actions, arrived, {"arrived": arrived}), at)


def factory(level: Level, layout: Layout) -> Factory:
    """All items at once, from an empty factory."""
    places = links(level, layout)
    names = {recipe.name for recipe in level.recipes}
    assemblers = {centre: name for centre, name in layout.assemblers if name in names}
    kinds: dict[Cell, list[str]] = defaultdict(list)
    for place in sorted(places):
        if place.kind == ON:
            kinds[place.cell].append(place.item)
    holds = {cell: binary("holds", [EMPTY, *items], *cell) for cell, items in kinds.items()}
    has: dict[Place, Variable] = {}
    for centre, name in assemblers.items():
        recipe = level.recipe(name)
        for number, (item, _) in enumerate(recipe.takes):
            has[Place(IN, centre, item)] = boolean("has", *centre, number)
        has[Place(MADE, centre, recipe.gives[0])] = boolean("made", *centre)

    def literals(place: Place, here: bool) -> dict[Bit, bool]:
        if place.kind == ON:
            return holds[place.cell].literals(place.item if here else EMPTY)
        return has[place].literals(here) if place in has else {}

    actions = []
    for place, afters in sorted(places.items()):
        for after in afters:
            guard = {**literals(place, here=True), **literals(after, here=False)}
            update = {**literals(place, here=False), **literals(after, here=True)}
            actions.append(Action(move_name(place, after), guard, update, MOVE))
    atoms: dict[str, Formula] = {}
    for (row, column), name in assemblers.items():
        recipe = level.recipe(name)
        needs = [Place(IN, (row, column), item) for item, _ in recipe.takes]
        made = Place(MADE, (row, column), recipe.gives[0])
        guard = {b: value for need in needs for b, value in literals(need, here=True).items()}
        update = {b: value for need in needs for b, value in literals(need, here=False).items()}
        guard |= literals(made, here=False)
        update |= literals(made, here=True)
        actions.append(Action(work_name((row, column), name), guard, update, MOVE))
        atoms[f"works@({row},{column})"] = literals(made, here=True)
    for port in level.outputs:
        place = Place(ON, port.cell, port.item)
        full: Formula = literals(place, here=True) if place in places else FALSE
        atoms[f"full@({port.cell[0]},{port.cell[1]})"] = full
    variables = (*holds.values(), *has.values())
    init = {b: False for variable in variables for b in variable.bits}
    goal: Expression = Or(*[conjunction(atom) if isinstance(atom, dict) else FALSE for atom in atoms.values()])
    return Factory(Model(variables, init, tuple(actions), goal, atoms), holds, has)


@dataclass(frozen=True)
class Fault:
    """What does not hold of the flow, in words, and the run that shows it, as moves."""

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
    """What is known of the flow of items along a layout.

    arrive   can every item come to where it is of use?
    goes_on  does nothing block, and can every assembler work and every output be served again and again? None
             where a limit, the `reason`, came first
    faults   what does not hold
    states   of the factory
    """

    arrive: bool
    goes_on: bool | None
    faults: tuple[Fault, ...]
    states: int | None = None
    reason: str | None = None


def flow(level: Level, layout: Layout, watch: Watch) -> Flow:
    """Check the flow along any layout that is as large as the level.

    Raises LimitReached, and Refuted where a run is not one by the plain rules.
    """
    places, yard = links(level, layout), carrying.yard(level, layout)
    lost = [_way(yard, places, start, watch) for start in carrying.starts(yard)]
    faults = [fault for fault in lost if fault is not None]
    made = factory(level, layout)
    claims = {"AG !stuck": "in the end nothing moves any more"}
    for centre, name in sorted(yard.assemblers.items()):
        claims[f"AG EF works@({centre[0]},{centre[1]})"] = f"{name} in {_where(centre)} cannot work any more"
    for port in level.outputs:
        row, column = port.cell
        claims[f"AG EF full@({row},{column})"] = f"{port.item} cannot come to {_where(port.cell)} any more"
    # One question sees to it that all is well; which claim fails, and how, needs one each.
    whole = query(made.model, parse(" & ".join(f"({claim})" for claim in claims)), watch, "symbolic")
    for claim, words in claims.items() if whole.holds is False else ():
        answer = query(made.model, parse(claim), watch, "symbolic")
        if answer.holds is False:
            run = _replayed(yard, made, answer)
            faults.append(Fault(words if run else words.replace(" any more", " at all"), run))
    return Flow(not any(lost), whole.holds, tuple(faults), whole.states, whole.reason)


def _way(yard: Yard, places: Mapping[Place, Sequence[Place]], start: Place, watch: Watch) -> Fault | None:
    """The way of an item that starts there and cannot come to where it is of use; None where it always can."""
    made = journey(places, start)
    reaches = query(made.model, parse("AG EF arrived"), watch)
    if reaches.reason is not None:
        raise LimitReached(reaches.reason)
    if reaches.holds:
        return None
    stays = query(made.model, parse("AG (stuck -> arrived)"), watch)
    evidence = (reaches if stays.holds else stays).evidence
    assert evidence is not None
    way = [made.at.read(state) for state in evidence.trace.states]
    found = [place for place in way if isinstance(place, Place)]
    while stays.holds and found[-1] not in found[:-1]:  # on and on, until it has been there before
        found.append(next(carrying.ways(yard, found[-1])))
    for one, other in pairwise(found):
        if other not in carrying.ways(yard, one):
            raise Refuted(f"{move_name(one, other)} is not a legal move")
    if not stays.holds and next(carrying.ways(yard, found[-1]), None) is not None:
        raise Refuted(f"{start.item} does not stay in {_where(found[-1].cell)}")
    end = f"{_where(found[-1].cell)} and {'goes round for ever' if stays.holds else 'goes no further'}"
    words = f"{start.item} from {_where(start.cell)} is lost: it comes to {end}"
    return Fault(words, tuple(move_name(one, other) for one, other in pairwise(found)))


def _replayed(yard: Yard, made: Factory, answer: Answer) -> tuple[str, ...]:
    """The moves of a run that shows that a claim does not hold. Raises Refuted where they are no legal moves."""
    assert answer.evidence is not None
    trace = answer.evidence.trace
    held: Held = frozenset()
    for number, (action, state) in enumerate(zip(trace.actions, trace.states[1:], strict=True), 1):
        known = [after for move, after in carrying.moves(yard, held) if move.name == action.name]
        if known != [made.decode(state)]:
            raise Refuted(f"step {number}: {action.name} is not a legal move, or leads to something else")
        held = known[0]
    return tuple(action.name for action in trace.actions)


def _where(cell: Cell) -> str:
    return f"row {cell[0]}, column {cell[1]}"
