"""Other tools read the exports, and their answers agree with the plain rules."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Hashable, Iterable
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from boards import BOARDS
from command import puzzlemc, write
from hypothesis import given, settings
from oracle import all_states, dijkstra, least_cost_by_rules
from places import ROOT
from pysat.formula import CNF
from pysat.solvers import Solver
from strategies import levels, models

from examples import examples
from puzzlemc.encodings.puzzles import Entry, load, puzzle
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.formula import State, holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.symbolic.prover import prove_unreachable
from puzzlemc.reports.formats import aiger, dimacs, state_graph
from puzzlemc.reports.formats.export import FORMATS, Job
from puzzlemc.screens.sokoban import Level, draw, parse

RULES = puzzle("sokoban")
FIRST_STEPS = ROOT / "screens" / "levels" / "sokoban" / "first_steps.xsb"
UNSOLVABLE = ROOT / "screens" / "levels" / "sokoban" / "unsolvable.xsb"
CHOSEN = [f"{FIRST_STEPS}#{number}" for number in (1, 2, 3, 5)] + [f"{UNSOLVABLE}#{number}" for number in (1, 3)]


@cache
def known(name: str, metric: str) -> tuple[Entry, int | None]:
    """A shipped level, and the least cost of a solution by the plain rules."""
    (entry,) = load([name])
    return entry, least_cost_by_rules(RULES, entry.level, metric)


def exported(name: str, form: str, metric: str, folder: Path, **more: int) -> tuple[list[Path], int | None]:
    """The files of a level in this format, and the least cost of a solution."""
    entry, cost = known(name, metric)
    job = Job(entry, "compact", metric, folder / f"level.{form}", **more)
    return FORMATS[form](job), cost


def run(*command: str | Path, folder: Path) -> str:
    done = subprocess.run(
        list(map(str, command)), cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    return done.stdout + done.stderr


def program(*names: str) -> str:
    """The path of the first installed program of these names."""
    for name in names:
        if path := shutil.which(name):
            return path
    pytest.skip(f"there is no {names[0]} on the PATH")


# Tools for models.


@pytest.mark.parametrize("name", CHOSEN)
def test_nusmv_finds_a_shortest_counterexample(tmp_path: Path, name: str) -> None:
    (path,), cost = exported(name, "smv", "moves", tmp_path)
    output = run(program("NuSMV"), path, folder=tmp_path)
    if cost is None:
        assert re.search(r"^-- invariant .* is true", output, re.MULTILINE), output
    else:
        assert re.search(r"^-- invariant .* is false", output, re.MULTILINE), output
        assert output.count("-> State:") - 1 == cost


@pytest.mark.parametrize("name", CHOSEN)
def test_abc_decides_the_circuit(tmp_path: Path, name: str) -> None:
    (path,), cost = exported(name, "aiger", "moves", tmp_path)
    shutil.move(path, tmp_path / "level.aig")  # the suffix determines the format
    output = run(program("berkeley-abc", "abc"), "-c", "read level.aig; fold; pdr", folder=tmp_path)
    assert ("Property proved" in output) == (cost is None), output
    assert ("was asserted in frame" in output) == (cost is not None), output
    if cost is not None:
        frames = f"-F {cost + 1}"  # the first frame is before any step
        output = run(program("berkeley-abc", "abc"), "-c", f"read level.aig; bmc3 {frames}", folder=tmp_path)
        assert re.search(rf"was asserted in frame {cost}\b", output), output


@pytest.mark.parametrize("verdict", BOARDS)
def test_abc_decides_a_circuit_that_chooses_its_initial_state(tmp_path: Path, verdict: str) -> None:
    path = write(tmp_path / "a.tetravex", BOARDS[verdict])
    done = puzzlemc("export", path, "--to", "aiger", "-o", tmp_path / "level.aig")
    assert done.returncode == 0, done.stderr
    output = run(program("berkeley-abc", "abc"), "-c", "read level.aig; fold; pdr", folder=tmp_path)
    assert ("Property proved" in output) == (verdict == "unsolvable"), output
    assert ("was asserted in frame" in output) == (verdict == "solvable"), output
    if verdict == "unsolvable":
        assert puzzlemc("check", path, "--certificate", tmp_path).returncode == 1
        certificate = tmp_path / "a.tetravex-1.cert"
        assert puzzlemc("verify", certificate, "--aiger", tmp_path).returncode == 0
        assert by_induction(tmp_path / "a.tetravex-1.witness.aig")


def by_induction(path: Path) -> bool:
    """Does ABC prove by induction that no bad state is reached? Its command `ind` leaves out the first state."""
    command = f"read {path.name}; bmc3 -F 1; ind -F 2"
    output = run(program("berkeley-abc", "abc"), "-c", command, folder=path.parent)
    return "No output asserted in 1 frames" in output and "Networks are equivalent" in output


@pytest.mark.parametrize("number", [1, 3])
def test_abc_accepts_an_invariant_and_refuses_changed_ones(tmp_path: Path, number: int) -> None:
    """Without the states in which a bit is as in the initial state, it lacks this one, even if it is closed."""
    entry, _ = known(f"{UNSOLVABLE}#{number}", "moves")
    model = RULES.encodings["compact"](entry.level).model
    true = aiger.witness(model, prove_unreachable(model, Budget(Limits(30.0))))
    gates, start = true.circuit, initial_state(model)
    first = [gates.input(bit) ^ int(bit not in start) for bit in model.bits]
    changed = [replace(true, bad=gates.disj([true.bad, literal])) for literal in first]
    changed.append(replace(true, bad=gates.disj([true.bad, first[0] ^ 1])))  # it is not closed under steps
    for tried in (true, *changed):
        (tmp_path / "w.aig").write_bytes(tried.aiger())
        assert by_induction(tmp_path / "w.aig") == (tried is true)


@pytest.mark.parametrize("form", ["pddl", "sas"])
@pytest.mark.parametrize("metric", RULES.metrics)
@pytest.mark.parametrize("name", CHOSEN)
def test_fast_downward_finds_a_plan_of_the_least_cost(tmp_path: Path, name: str, metric: str, form: str) -> None:
    found = find_spec("up_fast_downward")
    if found is None or found.origin is None:
        pytest.skip("there is no up-fast-downward")
    driver = Path(found.origin).parent / "downward" / "fast-downward.py"
    paths, cost = exported(name, form, metric, tmp_path)
    output = run(sys.executable, driver, *paths, "--search", "astar(blind())", folder=tmp_path)
    if cost is None:
        assert "unsolvable" in output, output
    else:
        assert f"Plan cost: {cost}\n" in output, output


# DIMACS.


def satisfiable(text: str) -> bool:
    """The result of CaDiCaL on a file."""
    formula = CNF(from_string=text)
    (head,) = re.findall(r"^p cnf (\d+) (\d+)$", text, re.MULTILINE)
    assert len(formula.clauses) == int(head[1])
    assert formula.nv <= int(head[0])
    with Solver("cadical195", bootstrap_with=formula) as solver:
        answer = solver.solve()
    assert isinstance(answer, bool)
    return answer


@settings(max_examples=20)
@given(level=levels())
@pytest.mark.parametrize("metric", RULES.metrics)
def test_dimacs_is_satisfiable_exactly_from_the_least_cost_on(metric: str, level: Level) -> None:
    cost = least_cost_by_rules(RULES, level, metric)
    model = RULES.encodings["compact"](level).model
    tried = range(4) if cost is None else {max(0, cost - 1), cost, cost + 2}
    for bound in tried:
        if bound <= 12:
            assert satisfiable(dimacs.write(model, metric, bound)) == (cost is not None and cost <= bound)


@settings(max_examples=examples(20, 50))
@given(model=models())
def test_dimacs_agrees_on_random_models(model: Model) -> None:
    """Also if a run cannot continue after it has reached the goal."""

    def successors(state: Hashable) -> Iterable[tuple[State, int]]:
        assert isinstance(state, frozenset)
        return [(action.fire(state), 1) for action in model.actions if action.enabled(state)]

    best = dijkstra([state for state in all_states(model) if holds(model.init, state)], successors)
    steps = min(
        (n for state, n in best.items() if isinstance(state, frozenset) and holds(model.goal, state)), default=99
    )
    for bound in range(4):
        assert satisfiable(dimacs.write(model, ANY, bound)) == (steps <= bound)


def test_comments_of_dimacs_name_the_actions_of_a_solution() -> None:
    entry, cost = known(f"{FIRST_STEPS}#2", "moves")
    assert cost is not None
    text = dimacs.write(RULES.encodings["compact"](entry.level).model, "moves", cost)
    with Solver("cadical195", bootstrap_with=CNF(from_string=text)) as solver:
        assert solver.solve()
        true = set(solver.get_model() or ())
    steps = re.findall(r"^c (\d+) = step (\d+) is (\w)", text, re.MULTILINE)
    moves = [move for number, _, move in sorted(steps, key=lambda found: int(found[1])) if int(number) in true]
    position = RULES.rules.start(entry.level)
    for move in moves:
        (position,) = [step.position for step in RULES.rules.steps(entry.level, position) if step.name == move]
    assert len(moves) == cost
    assert RULES.rules.solved(entry.level, position)


def test_dimacs_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    entry, _ = known(CHOSEN[0], "moves")
    monkeypatch.setattr(dimacs, "MOST_CLAUSES", 1000)
    with pytest.raises(ModelError, match="more than 1000 clauses"):
        dimacs.write(RULES.encodings["compact"](entry.level).model, "moves", 10**6)


# State graphs.


def by_rules(level: Level) -> tuple[dict[str, Hashable], set[tuple[str, str]], set[str]]:
    """Positions by drawing, the steps between them, and the drawings of dead positions."""
    start = RULES.rules.start(level)
    positions, waiting, edges = {draw(level, start): start}, [start], set()  # type: ignore[arg-type]
    while waiting:
        here = waiting.pop()
        for step in RULES.rules.steps(level, here):
            name = draw(level, step.position)  # type: ignore[arg-type]
            edges.add((draw(level, here), name))  # type: ignore[arg-type]
            if name not in positions:
                positions[name] = step.position
                waiting.append(step.position)
    live = {name for name, position in positions.items() if RULES.rules.solved(level, position)}
    while more := {here for here, there in edges if there in live} - live:
        live |= more
    return positions, edges, positions.keys() - live  # type: ignore[return-value]


@settings(max_examples=25)
@given(level=levels())
@pytest.mark.parametrize("metric", RULES.metrics)
def test_graphml_is_the_state_graph(tmp_path_factory: pytest.TempPathFactory, metric: str, level: Level) -> None:
    path = tmp_path_factory.mktemp("graph") / "out.graphml"
    FORMATS["graphml"](Job(Entry("", "", puzzle("sokoban"), level, None), "tiles", metric, path))
    graph = nx.read_graphml(path, node_type=int, force_multigraph=True)
    positions, edges, dead = by_rules(level)
    label = dict(graph.nodes(data="label"))
    assert sorted(label.values()) == sorted(positions)
    assert {(label[here], label[there]) for here, there in graph.edges()} == edges
    for number, state in graph.nodes.items():
        name = label[number]
        assert state["solved"] == RULES.rules.solved(level, positions[name])
        assert state["dead"] == (name in dead)
        assert state["initial"] == (name == draw(level))
    for _, _, edge in graph.edges(data=True):
        assert (edge["moves"], edge["pushes"]) == (1, int(edge["label"][0].isupper()))
    path_edges = [(here, there, edge) for here, there, edge in graph.edges(data=True) if edge["on_path"]]
    cost = least_cost_by_rules(RULES, level, metric)
    assert sum(edge[metric] for _, _, edge in path_edges) == (cost or 0)
    on_path = {number for number, marked in graph.nodes(data="on_path") if marked}
    assert len(on_path) == (0 if cost is None else len(path_edges) + 1)
    if path_edges:
        walk = nx.DiGraph((here, there) for here, there, _ in path_edges)
        assert nx.is_path(walk, list(nx.topological_sort(walk)))
        assert set(walk) == on_path


@pytest.mark.parametrize(("metric", "costs"), [("pushes", (2, 26)), ("moves", (4, 22))])
def test_the_path_is_cheapest_under_its_metric(metric: str, costs: tuple[int, int]) -> None:
    """Two additional pushes save four moves."""
    (level,) = parse("#######\n# #.###\n# $@  #\n# #   #\n#  ## #\n##    #\n#######", "far")
    encoded = RULES.encodings["compact"](level)
    made = state_graph.network(state_graph.explored(encoded, 1000), encoded, level, RULES)
    state_graph.mark_path(made, state_graph.cheapest_path(made, metric), metric)
    edges = [edge for *_, edge in made.edges(data=True) if edge["on_path"]]
    assert (sum(edge["pushes"] for edge in edges), len(edges)) == costs


@pytest.mark.parametrize("name", CHOSEN)
def test_graphviz_reads_the_state_graph(tmp_path: Path, name: str) -> None:
    (path,), _ = exported(name, "dot", "pushes", tmp_path)
    (xml,), _ = exported(name, "graphml", "pushes", tmp_path)
    done = subprocess.run(
        [program("dot"), "-Tdot_json", str(path)], capture_output=True, text=True, timeout=60, check=True
    )
    read: dict[str, Any] = json.loads(done.stdout)
    graph = nx.read_graphml(xml, node_type=int, force_multigraph=True)
    nodes = {int(node["name"]): node for node in read["objects"]}
    assert nodes.keys() == set(graph)
    assert len(read["edges"]) == graph.number_of_edges()
    for number, state in graph.nodes.items():
        drawn = "".join(f"{line}\\l" for line in state["label"].split("\n"))
        assert nodes[number]["label"] == drawn
        assert nodes[number]["dead"] == str(state["dead"])
        assert ("penwidth" in nodes[number]) == state["on_path"]
    numbers = [int(node["name"]) for node in read["objects"]]
    assert sorted(
        (numbers[edge["tail"]], numbers[edge["head"]], edge["label"]) for edge in read["edges"]
    ) == sorted((here, there, edge["label"]) for here, there, edge in graph.edges(data=True))


def test_state_graphs_have_a_limit(tmp_path: Path) -> None:
    entry, _ = known(f"{FIRST_STEPS}#2", "pushes")
    done = puzzlemc("export", entry.id, "--to", "dot", "-o", tmp_path / "out.dot", "--states", "181")
    assert done.returncode == 2
    assert "found 182 states, expected 181 at most" in done.stderr
    assert not (tmp_path / "out.dot").exists()
    done = puzzlemc("export", entry.id, "--to", "dot", "-o", tmp_path / "out.dot", "--states", "182")
    assert (done.returncode, done.stdout) == (0, f"{tmp_path / 'out.dot'}\n")


def test_dimacs_needs_a_bound(tmp_path: Path) -> None:
    done = puzzlemc("export", CHOSEN[0], "--to", "dimacs", "-o", tmp_path / "out.cnf")
    assert done.returncode == 2
    assert "--bound" in done.stderr


def test_exploration_reports_the_limit_that_ended_it(monkeypatch: pytest.MonkeyPatch) -> None:
    entry, _ = known(f"{FIRST_STEPS}#2", "pushes")
    monkeypatch.setattr(state_graph, "EXPLORING", Limits(0.0))
    with pytest.raises(ModelError, match="before a limit: timeout"):
        state_graph.explored(RULES.encodings["compact"](entry.level), 1000)
