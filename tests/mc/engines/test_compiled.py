"""Compiled explicit search, and the portfolio, against search by the plain rules and on random models."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from known_models import check_invariant, counter, shuffle
from oracle import costs_by_rules, least_cost, least_cost_by_rules
from strategies import levels, models

from examples import examples
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.astar.problem import LARGEST_COST, Side, prepare
from puzzlemc.mc.astar.search import estimates
from puzzlemc.mc.engines.best_first import best_first
from puzzlemc.mc.engines.explicit import astar
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.errors import ModelError, Refuted, Unsuitable
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import ANY, Action, cost_of
from puzzlemc.mc.model.expressions import Zero
from puzzlemc.mc.model.formula import Bit, conjunction
from puzzlemc.mc.model.hints import Hints, Relaxation
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import binary, boolean
from puzzlemc.mc.packed.layout import PackedStates
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable, Verdict
from puzzlemc.screens.sokoban import Level

RULES = puzzle("sokoban")


def check(model: Model, verdict: Verdict, expected: int | None, proved: list[int]) -> None:
    assert expected is None or all(bound <= expected for bound in proved)
    if expected is None:
        assert isinstance(verdict, Unreachable)
    else:
        assert isinstance(verdict, Reachable)
        assert verdict.optimal
        assert verdict.cost == expected
        verdict.trace.check(model)


def test_compiled_search_agrees_with_plain_search() -> None:
    decided = 0

    @settings(max_examples=examples(75, 400))
    @given(model=models(plain=True))
    def agrees(model: Model) -> None:
        nonlocal decided
        proved: list[int] = []
        try:
            verdict = astar(model, "cost", Budget(report=proved.append))
        except Unsuitable:
            return  # a formula that is not a cube, where compiled search needs one
        decided += 1
        check(model, verdict, least_cost(model, "cost"), proved)
        if isinstance(verdict, Unreachable):
            check_invariant(model, verdict)

    agrees()
    assert decided >= examples(40, 200)


def test_a_goal_that_is_no_disjunction_of_cubes_is_refused() -> None:
    a, b, c = counter(3).bits
    for search in (astar, best_first):
        with pytest.raises(Unsuitable, match="goal"):
            search(replace(counter(3), goal=a & (b | c)), "cost", Budget())


@settings(max_examples=examples(40, 200))
@given(level=levels())
def test_compiled_search_agrees_with_the_rules_of_sokoban(level: Level) -> None:
    encoded = RULES.encodings["compact"](level)
    hints = encoded.model.hints
    for metric in RULES.metrics:
        expected = least_cost_by_rules(RULES, level, metric)
        for known in (hints, Hints(), replace(hints, relaxations=())):
            model = replace(encoded.model, hints=known)
            proved: list[int] = []
            verdict = astar(model, metric, Budget(report=proved.append))
            check(model, verdict, expected, proved)
            if isinstance(verdict, Reachable):
                moves = encoded.moves(verdict.trace)
                assert RULES.replay(level, moves).costs[metric] == expected


@settings(max_examples=examples(20, 100))
@given(level=levels())
def test_compiled_search_with_larger_patterns_agrees_with_the_rules(level: Level) -> None:
    model = RULES.encodings["compact"](level).model
    for metric in RULES.metrics:
        expected = least_cost_by_rules(RULES, level, metric)
        for few in ({1: 1}, {1: 1, 2: 2}):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr("puzzlemc.mc.engines.explicit.PATTERNS", few)
                patch.setattr("puzzlemc.mc.astar.space.STEPS", 3)
                verdict = astar(model, metric, Budget())
            check(model, verdict, expected, [])
            if isinstance(verdict, Unreachable) and len(model.bits) <= 10:
                check_invariant(model, verdict)


def bound_of(side: Side, rows: PackedStates) -> int:
    return int(estimates(side, rows, with_pairs=False)[0])


@pytest.mark.parametrize("metric", RULES.metrics)
@given(level=levels())
def test_patterns_and_bounds_are_sound(metric: str, level: Level) -> None:
    encoded = RULES.encodings["compact"](level)
    model = encoded.model
    assert model.hints.location is not None
    prices = [cost_of(action, metric) for action in model.actions]
    problem = prepare(model, prices, Budget(), patterns=3)
    edges, left = costs_by_rules(RULES, level, metric)
    box = {tuple(map(int, b.indices)): b for b in model.bits if b.name == "box"}
    for position in edges:
        player = model.hints.location.literals(position.player)
        state = frozenset([b for b, held in player.items() if held] + [box[cell] for cell in position.boxes])
        row = problem.layout.from_integers([problem.layout.integer(state)])
        bound = bound_of(problem.forward, row)
        if position in left:
            assert not problem.dead.covers(state)
            assert bound <= left[position]
            if problem.backward is not None:
                assert bound_of(problem.backward, row) <= edges[position]


@pytest.mark.parametrize("few", [{1: 1 << 10}, {1: 1}, {1: 1, 2: 2}], ids=["singles", "pairs", "triples"])
@settings(max_examples=examples(20, 80))
@given(level=levels())
def test_best_first_finds_a_solution_if_one_exists(few: dict[int, int], level: Level) -> None:
    encoded = RULES.encodings["compact"](level)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("puzzlemc.mc.engines.best_first.PATTERNS", few)
        patch.setattr("puzzlemc.mc.astar.space.STEPS", 1)
        verdict = best_first(encoded.model, "pushes", Budget())
    least = least_cost_by_rules(RULES, level, "pushes")
    if least is None:
        assert isinstance(verdict, Unreachable)
        if len(encoded.model.bits) <= 10:
            check_invariant(encoded.model, verdict)
    else:
        assert isinstance(verdict, Reachable)
        assert verdict.optimal == (verdict.cost == 0)
        assert verdict.cost >= least
        verdict.trace.check(encoded.model)
        RULES.replay(level, encoded.moves(verdict.trace))


def test_best_first_agrees_on_random_models() -> None:
    """Any weights are allowed: a potential guides the search and excludes no state."""
    decided = 0

    @settings(max_examples=examples(80, 200))
    @given(model=models(plain=True), weights=st.lists(st.integers(-3, 3), min_size=4, max_size=4))
    def finds(model: Model, weights: list[int]) -> None:
        nonlocal decided
        bits = [b for b in model.bits if b.name == "b"]
        potential = {(b, weight > 0): abs(weight) for b, weight in zip(bits, weights, strict=False)}
        model = replace(model, hints=replace(model.hints, potential=potential))
        try:
            verdict = best_first(model, "cost", Budget())
        except Unsuitable:
            return  # a goal of another form, or an action with an update that is not constant
        decided += 1
        if least_cost(model, "cost") is None:
            assert isinstance(verdict, Unreachable)
            check_invariant(model, verdict)
        else:
            assert isinstance(verdict, Reachable)
            verdict.trace.check(model)

    finds()
    assert decided >= examples(50, 140)


def test_objects_do_not_disable_an_action_without_a_location() -> None:
    at = binary("p", range(3))
    here, there = boolean("o", 0), boolean("o", 2)
    held = {here.bits[0]: True, there.bits[0]: True}
    vanish = Action("vanish", there.bits[0], {there.bits[0]: False}, {"cost": 1})
    hints = Hints(location=at, objects={here.bits[0]: 0, there.bits[0]: 2})
    init = conjunction(at.literals(1) | held)
    model = Model((at, here, there), init, (vanish,), ~there.bits[0], hints=hints)
    verdict = astar(model, "cost", Budget())
    assert isinstance(verdict, Reachable)
    assert verdict.cost == 1


def test_best_first_is_depth_first_without_a_potential() -> None:
    verdict = best_first(counter(3), "cost", Budget())
    assert isinstance(verdict, Reachable)
    verdict.trace.check(counter(3))
    assert verdict.cost == 7
    assert isinstance(best_first(replace(counter(3), goal=Zero), "cost", Budget()), Unreachable)


def test_states_may_have_more_bits_than_a_word() -> None:
    model = shuffle(140)
    verdict = astar(replace(model, goal=model.bits[0] & model.bits[70] & model.bits[5]), "cost", Budget())
    assert isinstance(verdict, Reachable)
    assert verdict.cost == 2
    verdict.trace.check(model=replace(model, goal=model.bits[0] & model.bits[70] & model.bits[5]))


def test_limits_give_unknown_with_a_bound() -> None:
    verdict = astar(counter(40), "cost", Budget(Limits(seconds=2)))
    assert isinstance(verdict, Unknown)
    assert (verdict.reason, verdict.bound > 1000) == ("timeout", True)
    verdict = astar(shuffle(60), "cost", Budget(Limits(memory=32 << 20)))
    assert isinstance(verdict, Unknown)
    assert (verdict.reason, verdict.bound > 2) == ("memory", True)
    verdict = astar(shuffle(60), "cost", Budget(), most_states=1000)
    assert isinstance(verdict, Unknown)
    assert verdict.reason == "bound"


@given(model=models())
def test_auto_agrees_with_plain_search(model: Model) -> None:
    expected = least_cost(model, "cost")
    for many in (False, True):
        proved: list[int] = []
        answer = auto(model, "cost", Budget(report=proved.append), many=many)
        check(model, answer.verdict, expected, proved)
        assert answer.engine in (
            ("bidirectional", "explicit", "invariants", "planner") if model.actions else ("bmc",)
        )
        assert (answer.diagrams is None) == (answer.engine != "bidirectional")


def test_auto_uses_diagrams_when_memory_runs_out() -> None:
    # 2**20 states: too many for the explicit search's share of 8 MiB. Their diagram stays small if bits that must
    # agree are neighbours in the variable order.
    model = shuffle(40)
    order = tuple(b for pair in zip(model.bits[:20], model.bits[20:], strict=True) for b in pair)
    limits = Limits(seconds=60, memory=16 << 20)
    hints = Hints(order=order, potential={(model.bits[0], True): 1})  # hints for the search: no other is tried
    answer = auto(replace(model, hints=hints), "cost", Budget(limits), many=True)
    assert isinstance(answer.verdict, Unreachable)
    assert answer.engine == "bidirectional"


@pytest.mark.parametrize("many", [False, True])
def test_auto_refutes_a_trace_that_costs_less_than_a_proved_bound(many: bool) -> None:
    model = counter(3)
    assert isinstance(auto(model, "cost", Budget(bound=7), many=many).verdict, Reachable)
    with pytest.raises(Refuted, match="cost 7, and another engine a bound of 8"):
        auto(model, "cost", Budget(bound=8), many=many)


@pytest.mark.parametrize("detour", [False, True])
@pytest.mark.parametrize("price", [0, 1])
def test_replay_takes_an_action_without_a_location_where_the_search_took_it(price: int, detour: bool) -> None:
    """The door must be closed behind the player, but the action that closes it does not name the player's cell."""
    at = binary("at", range(4))
    door, won = boolean("door"), boolean("won")
    (is_open,), (done,) = door.bits, won.bits
    here = [at.literals(value) for value in range(4)]
    ways = [(0, 1, {is_open: True})] + ([(0, 2, {}), (2, 3, {}), (3, 1, {})] if detour else [])
    actions = [
        Action("walk", conjunction({**here[i], **guard}), here[j], {"cost": price})
        for one, other, guard in ways
        for i, j in ((one, other), (other, one))
    ]
    actions.append(Action("close", is_open, {is_open: False}, {"cost": 1}))
    actions.append(Action("win", conjunction({**here[1], is_open: False, done: False}), {done: True}, {"cost": 1}))
    init = conjunction({**here[0], is_open: True, done: False})
    hints = Hints(location=at, potential={(done, False): 1})
    model = Model((at, door, won), init, tuple(actions), done, hints=hints)
    check(model, astar(model, "cost", Budget()), least_cost(model, "cost"), [])
    some = best_first(model, ANY, Budget())
    assert isinstance(some, Reachable)
    some.trace.check(model)


def token(edges: list[tuple[int, int, int]], places: int) -> Model:
    """A token walks over a graph of edges (from, to, cost) from the first place to the last."""
    variables = [boolean("t", place) for place in range(places)]
    bits = [variable.bits[0] for variable in variables]
    actions = [
        Action("go", conjunction({bits[i]: True, bits[j]: False}), {bits[i]: False, bits[j]: True}, {"cost": cost})
        for i, j, cost in edges
    ]
    init = conjunction({b: b == bits[0] for b in bits})
    return Model(tuple(variables), init, tuple(actions), bits[-1])


def test_costs_may_be_large() -> None:
    most = LARGEST_COST
    chain = token([(i, i + 1, most - i) for i in range(12)], 13)
    check(chain, astar(chain, "cost", Budget(Limits(seconds=60))), 12 * most - 66, [])
    with pytest.raises(ModelError, match=f"more than {LARGEST_COST}"):
        astar(token([(0, 1, most + 1)], 2), "cost", Budget())
    dear = token([(0, 5, (1 << 31) + 10), (0, 1, 1 << 31), *((i, i + 1, 1) for i in range(1, 5))], 6)
    check(dear, auto(dear, "cost", Budget(Limits(seconds=60)), many=True).verdict, (1 << 31) + 4, [])


def test_objects_that_need_each_other_give_no_bound() -> None:
    """The object reaches its target at cost 2 with the other one's help, and at cost 9 alone."""
    at = binary("at", range(2))
    objects = [boolean("o", number) for number in range(4)]
    one, two, three, helper = (variable.bits[0] for variable in objects)
    here = at.literals(0)

    def move(start: Bit, end: Bit, cost: int, guard: dict[Bit, bool]) -> Action:
        return Action(
            "move",
            conjunction({**here, start: True, end: False, **guard}),
            {start: False, end: True},
            {"cost": cost},
        )

    actions = [move(one, three, 9, {})]
    for start, end in ((one, two), (two, three)):
        actions += [move(start, end, 1, {helper: True}), move(start, end, 9, {})]
    bits = (one, two, three, helper)
    hints = Hints(
        location=at,
        conserved=((bits, 2),),
        objects=dict.fromkeys(bits),
        relaxations=(Relaxation(1, (three, helper), 1), Relaxation(2, (three, helper), 2)),
    )
    init = conjunction({**here, one: True, two: False, three: False, helper: True})
    model = Model((at, *objects), init, tuple(actions), three & helper, hints=hints)
    proved: list[int] = []
    check(model, astar(model, "cost", Budget(report=proved.append)), 2, proved)


def test_relaxations_prove_nothing_if_objects_can_vanish() -> None:
    at = binary("at", range(2))
    objects = [boolean("o", number) for number in range(6)]
    bits = [variable.bits[0] for variable in objects]
    here = at.literals(0)
    actions = [Action("vanish", conjunction({**here, b: True}), {b: False}, {"cost": 1}) for b in bits]
    init = conjunction({**here, **{b: number < 4 for number, b in enumerate(bits)}})
    hints = Hints(location=at, objects=dict.fromkeys(bits), relaxations=(Relaxation(1, (bits[5],), 1),))
    model = Model((at, *objects), init, tuple(actions), bits[5], hints=hints)
    assert not model.keeps_objects
    verdict = astar(model, "cost", Budget())
    assert isinstance(verdict, Unreachable)
    check_invariant(model, verdict)
