"""States that potentials show to be dead, where a limit leaves the others open: in a graph, and in a report."""

from collections.abc import Hashable
from dataclasses import replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from puzzlemc.mc.graph.analysis import analyse, with_known_dead
from puzzlemc.mc.graph.state_graph import explore
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.model import Model
from puzzlemc.reports.page.dead_by_sums import dead_by_sums


def pegs() -> Model:
    spec = spec_from_file_location("pegs", Path(__file__).parents[3] / "tests/compatibility/0.1/pegs.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    model: Model = module.model((".", "oo", "ooo", "oooo", "ooooo"))
    return model


def test_the_states_of_a_part_of_the_graph() -> None:
    model = pegs()
    whole = analyse(model, ["jumps"], Budget())
    assert whole.is_solvable is not None
    live: set[Hashable] = {whole.graph.state(n) for n in range(len(whole.graph)) if whole.is_solvable[n]}
    part = analyse(model, ["jumps"], Budget(Limits(memory=400_000)))
    assert part.solvable is None
    assert 100 < len(part.graph) < len(whole.graph)
    dead = dead_by_sums(part.graph, Budget())
    assert dead is not None
    assert not any(dead[n] and part.graph.state(n) in live for n in range(len(part.graph)))
    known = with_known_dead(part, dead)
    assert known.known_dead == dead.sum() > 10
    for name, visits in known.atoms.items():
        assert visits.known_dead == (part.graph.holds(model.atoms[name]) & dead).sum()
        assert whole.atoms[name].solvable is not None


def test_models_with_hints_for_searches_are_not_asked() -> None:
    model = pegs()
    guided = replace(model, hints=replace(model.hints, potential={(model.bits[0], True): 1}))
    assert guided.hints.guide_search
    assert dead_by_sums(explore(guided, Budget(Limits(memory=400_000))), Budget()) is None
