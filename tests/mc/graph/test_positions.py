"""The positions of plain rules as a model: its graph, its analysis and its formulas are those of the rules."""

from collections.abc import Iterator, Mapping
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from puzzlemc.mc.graph.analysis import analyse
from puzzlemc.mc.graph.positions import PositionModel, position_model
from puzzlemc.mc.graph.state_graph import explore
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.mc.temporal.check import query
from puzzlemc.mc.temporal.parser import parse

NUMBERS = st.integers(0, 7)
Graph = Mapping[int, Mapping[str, tuple[int, int]]]  # position -> name of a move -> position after it, and cost
GRAPHS = st.dictionaries(
    NUMBERS, st.dictionaries(st.sampled_from("abcd"), st.tuples(NUMBERS, st.sampled_from([0, 1, 2])), max_size=4)
)


def rules_of(graph: Graph, solved: frozenset[int]) -> Transition:
    """The rules of a graph. Positions are texts, which have no order."""

    def steps(_: Any, position: str) -> Iterator[Step]:
        for name, (target, cost) in graph.get(len(position), {}).items():
            yield Step(name, "x" * target, {"coins": cost})

    return Transition(lambda _: "", steps, lambda _, position: len(position) in solved)


def model_of(graph: Graph, solved: frozenset[int]) -> PositionModel:
    return position_model(rules_of(graph, solved), None, ["even"], lambda at: [] if len(at) % 2 else ["even"])


def closed(graph: Graph, start: int) -> set[int]:
    """The positions that moves lead to from one, and that one."""
    found, waiting = {start}, [start]
    while waiting:
        for target, _ in graph.get(waiting.pop(), {}).values():
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


@settings(max_examples=examples(60, 600))
@given(graph=GRAPHS, solved=st.frozensets(NUMBERS, max_size=3))
def test_all_positions_are_analysed(graph: Graph, solved: frozenset[int]) -> None:
    model, reached = model_of(graph, solved), closed(graph, 0)
    found = analyse(model, ["coins"], Budget())
    met = [len(str(model.position(found.graph.state(number)))) for number in range(found.states)]
    assert sorted(met) == sorted(reached)
    assert found.goals == len(reached & solved)
    assert found.edges == sum(len(graph.get(position, {})) for position in reached)
    assert found.solvable == sum(bool(closed(graph, position) & solved) for position in reached)
    assert found.stuck == sum(not graph.get(position) for position in reached)
    assert found.atoms["even"].states == sum(position % 2 == 0 for position in reached)
    solvable = {position for position in reached if closed(graph, position) & solved}
    for text, holding in [
        ("EF solved", solvable),
        ("AG EF solved", {each for each in reached if closed(graph, each) <= solvable}),
        ("even & !solved", {each for each in reached - solved if each % 2 == 0}),
        ("stuck", {each for each in reached if not graph.get(each)}),
        ("EX even", {each for each in reached if any(t % 2 == 0 for t, _ in graph.get(each, {}).values())}),
    ]:
        answer = query(model, parse(text), Budget())
        at_end = (
            {each for each in reached if each % 2 == 0 and not graph.get(each)} if text == "EX even" else set()
        )
        assert answer.satisfying == len(holding | at_end)  # a stuck position follows itself
        assert answer.holds == (0 in holding | at_end)


@given(graph=GRAPHS, solved=st.frozensets(NUMBERS, max_size=3))
def test_successors_are_the_steps(graph: Graph, solved: frozenset[int]) -> None:
    model = model_of(graph, solved)
    steps = {
        (action.name, action.costs["coins"], model.position(after))
        for action, after in model.successors(initial_state(model))
    }
    assert steps == {(name, cost, "x" * target) for name, (target, cost) in graph.get(0, {}).items()}


def test_limits_leave_a_part_of_the_graph() -> None:
    def steps(_: Any, position: int) -> Iterator[Step]:
        for name, after in (("left", 2 * position + 1), ("right", 2 * position + 2)):
            yield Step(name, after, {"steps": 1})

    endless = Transition(lambda _: 0, steps, lambda _, position: False)
    for limits, reason in ((Limits(0.2), "timeout"), (Limits(30, 1 << 25), "memory")):
        graph = explore(position_model(endless, None), Budget(limits))
        assert graph.reason == reason
        assert len(graph) == 2 ** (len(graph.rounds) - 1) - 1 > 1000


def test_more_facts_than_a_word_has_bits() -> None:
    def steps(_: Any, position: int) -> Iterator[Step]:
        yield Step("on", (position + 1) % 70, {"steps": 1})

    ring = Transition(lambda _: 0, steps, lambda _, position: position == 69)
    model = position_model(ring, None, [f"f{k}" for k in range(70)], lambda position: [f"f{position}"])
    found = analyse(model, ["steps"], Budget())
    assert [found.atoms[f"f{k}"].states for k in range(70)] == [1] * 70
    assert (found.states, found.goals) == (70, 1)
