"""Games over sets of states: the attractor of each side in layers, one for each number of turns.

A state is added to a side's attractor when the side has the turn and some action leads into it, or the other has
the turn and every action does. Only reachable states are looked at: these come from a first search forward, which
ends where a side has won. All layers are kept; they are the turns that a win takes, and so the strategy.
"""

from typing import Generic, TypeVar

from puzzlemc.mc.games.model import (
    DRAW,
    Drawn,
    GameModel,
    GameVerdict,
    Value,
    Winning,
    both_have_won,
    decide_within_limits,
    verdict,
)
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.rules.plain import FIRST, SIDES
from puzzlemc.mc.symbolic.capacity import with_capacity
from puzzlemc.mc.symbolic.search import pause
from puzzlemc.mc.symbolic.system import CompiledEdges, End, Split, System, compile_system
from puzzlemc.mc.verdict import Statistics

S = TypeVar("S")


def symbolic(game: GameModel, budget: Budget, *, diagrams: str = "zdd") -> GameVerdict:
    """Decide who wins a game, by sets of states. Raises Unsuitable without one initial state."""
    start = initial_state(game.model)

    def attempt(capacity: int) -> Winning | Drawn:
        system = compile_system(game.model, ANY, diagrams, capacity)
        found = _Arena(system, game, start, budget)
        layers = [found.attractor(side, budget) for side in SIDES]

        def value(state: State) -> Value:
            if not system.contains(found.reached, state):
                raise LookupError("the state is not reachable")
            for side in SIDES:
                for turns, layer in enumerate(layers[side]):
                    if system.contains(layer, state):
                        return Value(side, turns)
            return DRAW

        states = system.count(found.reached)
        depth = max(map(len, layers))
        return verdict(game, start, value, Statistics(depth, states, system.diagrams.tidy()))

    return decide_within_limits(budget, lambda: with_capacity(diagrams, budget, attempt))


class _Arena(Generic[S]):
    """All reachable states of a game, in their parts.

    reached  all of them
    going    those from which an action can be taken
    ends     for each side, where the game has ended and it has won
    """

    def __init__(self, system: System[S], game: GameModel, start: State, budget: Budget) -> None:
        self._system = system
        self._first: End[S] = system.end(game.first, ())
        won = [system.end(formula, ()) for formula in game.won]
        self.reached: Split[S] = {}
        self.ends: list[Split[S]] = [{}, {}]
        going: Split[S] = {}
        frontier = system.single(start)
        while frontier:
            system.add(self.reached, frontier)
            met = [end.meet(frontier) for end in won]
            if system.intersection(*met):
                raise both_have_won()
            for side in SIDES:
                system.add(self.ends[side], met[side])
                frontier = system.difference(frontier, met[side])
            system.add(going, frontier)
            frontier = system.difference(_step(system, system.forth, frontier, budget), self.reached)
        self.going = system.intersection(going, _step(system, system.back, self.reached, budget))
        stuck = system.difference(going, self.going)
        for side in SIDES:
            winner = game.stuck.winner(side)
            if winner is not None:
                system.add(self.ends[winner], self.turn_of(side, stuck))

    def turn_of(self, side: int, f: Split[S]) -> Split[S]:
        """The states of f in which it is that side's turn."""
        firsts = self._first.meet(f)
        return firsts if side == FIRST else self._system.difference(f, firsts)

    def attractor(self, side: int, budget: Budget) -> list[Split[S]]:
        """The states from which the side wins, by the turns that it takes. Raises LimitReached."""
        system = self._system
        layers = [self.ends[side]]
        rest = system.difference(self.reached, self.ends[side])
        while layers[-1]:
            near = system.intersection(_step(system, system.back, layers[-1], budget), self.going)
            near = system.intersection(near, rest)
            own = self.turn_of(side, near)
            forced = system.difference(near, own)
            if forced:
                forced = system.difference(forced, _step(system, system.back, rest, budget))
            layer = dict(own)
            system.add(layer, forced)
            rest = system.difference(rest, layer)
            layers.append(layer)
        return layers[:-1]


def _step(system: System[S], edges: CompiledEdges, f: Split[S], budget: Budget) -> Split[S]:
    """The states to which the edges lead from f: its image or its preimage. Raises LimitReached."""
    found: Split[S] = {}
    for at, here in f.items():
        for edge in edges[at]:
            there = edge.apply(here)
            if not system.diagrams.is_empty(there):
                system.add(found, {edge.target: there})
        pause(system.diagrams, budget)
    return found
