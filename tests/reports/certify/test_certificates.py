"""Certificates as files: written, checked without any engine, refuted if they are wrong."""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from boards import BOARDS
from command import CORNERED, ONE_PUSH, as_json, hard, puzzlemc, write
from hypothesis import event, given, settings
from hypothesis import strategies as st
from places import ROOT
from proofs_shown import shows
from strategies import levels

from examples import examples
from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.reports.certify.certificate import read
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.file_names import file_stems
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.formats.aiger import Machine, machine, trace, witness
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.sokoban import Level, draw

Data = dict[str, Any]
# Two boxes, one of them at the wall: only one of the squares at the wall is not dead.
TWO = "#######\n#@ $ .#\n#  $ .#\n#     #\n#######\nTitle: Two\n"

WON_AT_START = """title One
run_rules_on_level_start

OBJECTS
Background .
black

Player P
blue

Egg E
white

Hen H
red

LEGEND

SOUNDS

COLLISIONLAYERS
Background
Player, Egg, Hen

RULES
[ Hen ] -> []
[ Egg ] -> [ Hen ] again

WINCONDITIONS
no Hen

LEVELS

PE
"""


def made(folder: Path, text: str, **options: Any) -> Path:
    """The certificate of a level."""
    (entry,) = load([str(write(folder / "a.xsb", text))])
    chosen = Options(**options)
    result = certify(entry, chosen, solve_entry(entry, chosen), folder / "a.json")
    assert result.checked, result
    return folder / "a.json"


def changed(path: Path, change: Callable[[Data], object]) -> Path:
    """A certificate with one change."""
    data = json.loads(path.read_text(encoding="utf-8"))
    change(data)
    other = path.with_name("changed.json")
    other.write_text(json.dumps(data))
    return other


def test_check_writes_certificates_and_verify_accepts_them(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", ONE_PUSH, CORNERED, TWO)
    code, results = as_json("check", path, "--certificate", tmp_path / "new" / "certificates")
    assert code == 1
    assert [(result["verdict"], result["checked"]) for result in results] == [
        ("solvable", True),
        ("unsolvable", True),
        ("solvable", True),
    ]
    files = sorted((tmp_path / "new" / "certificates").iterdir())
    assert [file.name for file in files] == ["a.xsb-1.cert", "a.xsb-2.cert", "a.xsb-3.cert"]
    code, verified = as_json("verify", *files)
    assert code == 0
    assert [report["status"] for report in verified] == ["valid"] * 3
    assert [report["optimal"] for report in verified] == [True, False, True]
    assert {report["checked_by"] for report in verified} == {"plain rules"}
    done = puzzlemc("verify", *files)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1].startswith("3 of 3 valid")


def test_unsolvable_is_not_checked_without_a_certificate(tmp_path: Path) -> None:
    _, (result,) = as_json("check", write(tmp_path / "a.xsb", CORNERED))
    assert not result["checked"]


def test_outputs_of_files_with_one_name_are_distinct(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    files = [made(tmp_path / name, CORNERED) for name in ("a", "b")]
    assert files[0].name == files[1].name
    assert puzzlemc("verify", *files, "--aiger", tmp_path / "out").returncode == 0
    assert len(list((tmp_path / "out").glob("*.witness.aig"))) == 2


def test_verify_imports_no_engine(tmp_path: Path) -> None:
    """It needs the model and proof checkers: no search, and no decision diagrams of engines."""
    code = "import sys; from puzzlemc.reports.certify.verify import verify; from pathlib import Path\n"
    code += (
        f"assert verify(Path({str(made(tmp_path, CORNERED))!r})).status == 'valid'\nprint(*sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    names = {name.removeprefix("puzzlemc.mc.") for name in loaded if name.startswith("puzzlemc.mc.")}
    rooms = {
        "astar",
        "engines",
        "games.explicit",
        "graph",
        "heuristics",
        "packed",
        "sat",
        "symbolic",
    }
    rooms |= {"temporal"}
    assert [name for name in sorted(names) if name in rooms or name.partition(".")[0] in rooms] == []
    assert names >= {
        "model.formula",
        "model.model",
        "proofs.checker",
        "proofs.circuit",
        "proofs.layered",
        "rules.plain",
    }
    assert loaded.isdisjoint({"oxidd", "puzzlemc.reports.solve.solve", "puzzlemc.reports.certify.certify"})


@pytest.mark.parametrize(
    ("engine", "encoding"),
    [
        *(
            (name, "compact")
            for name in ["auto", "forward", "bidirectional", "explicit", "best-first", "k-induction"]
        ),
        *((name, "tiles") for name in ["auto", "backward", "ic3"]),
    ],
)
def test_any_verdict_gets_a_certificate(engine: str, encoding: str, tmp_path: Path) -> None:
    for text, verdict in [(ONE_PUSH, "solvable"), (CORNERED, "unsolvable")]:
        found = read(made(tmp_path, text, engine=engine, encoding=encoding, metric="moves"))
        assert (found.verdict, found.encoding) == (verdict, encoding)
        assert found.proof is not None or not found.optimal


def test_a_level_that_is_won_at_its_start_needs_no_proof(tmp_path: Path) -> None:
    game = write(tmp_path / "a.txt", WON_AT_START)
    _, (result,) = as_json("check", game, "--certificate", tmp_path)
    assert (result["cost"], result["checked"]) == (0, True)
    assert "note" not in result
    done = verify(tmp_path / "a.txt-1.cert")
    assert done.certificate is not None
    assert (done.status, done.certificate.cost, done.certificate.optimal) == ("valid", 0, True)
    assert "0 turns (optimal)  replayed" in done.as_text()


def test_any_solution_needs_no_proof(tmp_path: Path) -> None:
    found = read(made(tmp_path, TWO, metric="any"))
    assert (found.cost, found.optimal, found.proof) == (None, False, None)
    done = verify(changed(tmp_path / "a.json", lambda data: data.update(cost=4)))
    assert (done.status, "there is no cost" in str(done.reason)) == ("refuted", True)


@settings(max_examples=examples(15, 60))
@given(level=levels(), metric=st.sampled_from(["pushes", "moves"]), data=st.data())
def test_changed_certificates_are_refuted_or_true(
    tmp_path_factory: pytest.TempPathFactory, level: Level, metric: str, data: st.DataObject
) -> None:
    """One move, number, literal or bit is changed: refuted, unless the new claim is true, state by state."""
    folder = tmp_path_factory.mktemp("certificate")
    path = made(folder, draw(level), metric=metric)
    mutation = data.draw(st.sampled_from(MUTATIONS))
    other = changed(path, lambda content: mutation(data, content))
    done = verify(other)
    event(f"{done.status}")
    if done.status != "valid":
        assert done.status == "refuted"
        return
    found = read(other)
    model = puzzle("sokoban").encodings["compact"](level).model
    if found.proof is not None:
        assert shows(
            model, replace(found.proof, metric=metric, below=found.cost) if found.optimal else found.proof
        )
    original = read(path)
    assert (found.verdict, found.cost, found.optimal) == (original.verdict, original.cost, original.optimal)


def _some_gate(data: st.DataObject, content: Data) -> None:
    if content["proof"] and content["proof"]["gates"]:
        number = data.draw(st.integers(0, len(content["proof"]["gates"]) - 1))
        most = 2 * (len(content["proof"]["inputs"]) + number) + 1
        content["proof"]["gates"][number][data.draw(st.integers(0, 1))] = data.draw(st.integers(0, most))


def _some_layer(data: st.DataObject, content: Data) -> None:
    if content["proof"] and content["proof"]["layers"]:
        number = data.draw(st.integers(0, len(content["proof"]["layers"]) - 1))
        most = 2 * (len(content["proof"]["inputs"]) + len(content["proof"]["gates"])) + 1
        content["proof"]["layers"][number] = data.draw(st.integers(0, most))


def _some_count(data: st.DataObject, content: Data) -> None:
    if content["proof"] and content["proof"]["counts"]:
        count = content["proof"]["counts"][0]
        if data.draw(st.booleans()) or not count["bits"]:
            count["total"] += 1
        else:
            count["bits"].pop(data.draw(st.integers(0, len(count["bits"]) - 1)))


def _some_move(data: st.DataObject, content: Data) -> None:
    if content["trace"]:
        at = data.draw(st.integers(0, len(content["trace"]) - 1))
        content["trace"] = (
            content["trace"][:at] + data.draw(st.sampled_from(["", *"lurdLURD"])) + content["trace"][at + 1 :]
        )


def _cost(data: st.DataObject, content: Data) -> None:
    if content["cost"] is not None:
        content["cost"] += 1


def _verdict(data: st.DataObject, content: Data) -> None:
    content["verdict"] = {"solvable": "unsolvable", "unsolvable": "solvable"}[content["verdict"]]


MUTATIONS = [_some_gate, _some_layer, _some_count, _some_move, _cost, _verdict]


@pytest.mark.parametrize(
    ("text", "change", "message"),
    [
        (TWO, lambda data: data.update(trace="d"), "refuted: the position after the last move is not solved"),
        (TWO, lambda data: data.update(trace="lll"), "refuted: step 1: l is not a legal move"),
        (TWO, lambda data: data.update(cost=data["cost"] + 1), "refuted: the trace costs 4 pushes, not 5"),
        (TWO, lambda data: data.update(proof=None), "refuted: there is no proof that no trace costs less"),
        (TWO, lambda data: data["proof"]["layers"].pop(), "refuted: 3 layers, expected 4"),
        (TWO, lambda data: data["proof"]["layers"].append(0), "refuted: 5 layers, expected 4"),
        (TWO, lambda data: data["proof"].update(counts=[]), "refuted: "),
        (
            TWO,
            lambda data: data["proof"]["inputs"].reverse(),
            "refuted: the inputs of the circuit",
        ),
        (TWO, lambda data: data.update(optimal=False), "refuted: found a proof, but no claim that it could prove"),
        (TWO, lambda data: data.update(verdict="unsolvable"), "refuted: an unsolvable level has no trace"),
        (CORNERED, lambda data: data.update(proof=None), "refuted: there is no proof"),
        (CORNERED, lambda data: data["proof"].update(layers=[0]), "refuted: an initial state is not in the first"),
        (CORNERED, lambda data: data.update(optimal=True), "refuted: an unsolvable level has no trace"),
        (CORNERED, lambda data: data.update(verdict="solvable"), "refuted: there is no trace"),
        (CORNERED, lambda data: data.update(level=["#####", "#@$.#", "#####"]), "refuted: "),
        (CORNERED, lambda data: data.update(version=7), "version: found 7, expected 1, 2, 3, 4, 5 or 6"),
        (CORNERED, lambda data: data.update(version=2), "proof.below: found nothing, expected a number or null"),
        (CORNERED, lambda data: data.update(version="1"), 'version: found "1", expected a whole number'),
        (CORNERED, lambda data: data.update(format="other"), 'format: found "other", expected'),
        (CORNERED, lambda data: data.pop("metric"), "metric: found nothing, expected a text"),
        (CORNERED, lambda data: data.update(more=1), "more: found a field that is not known"),
        (CORNERED, lambda data: data.update(puzzle="chess"), "puzzle: found 'chess', expected one of"),
        (CORNERED, lambda data: data.update(encoding="x"), "encoding: found 'x', expected one of"),
        (CORNERED, lambda data: data.update(metric="x"), "metric: found 'x', expected one of"),
        (CORNERED, lambda data: data.update(verdict="x"), "verdict: found 'x', expected one of"),
        (CORNERED, lambda data: data.update(level=["#####", "#@$q#", "#####"]), "level:2:4: found 'q'"),
        (CORNERED, lambda data: data.update(level=["what"]), "level: found text but no row of a board"),
        (CORNERED, lambda data: data["proof"]["gates"].append([0, 10**9]), "expected two literals below"),
        (
            CORNERED,
            lambda data: data["proof"].update(gates=[[0, 2 * (len(data["proof"]["inputs"]) + 1)]]),
            "gates[0]: found",
        ),
        (CORNERED, lambda data: data["proof"]["gates"].append([0, True]), "expected two literals below"),
        (CORNERED, lambda data: data["proof"].update(layers=[-1]), "proof.layers: found [-1], expected"),
        (CORNERED, lambda data: data["proof"]["counts"][0].update(total=-1), "proof.counts[0].total: found -1"),
        (CORNERED, lambda data: data["proof"]["counts"][0]["bits"].append("x"), "refuted: x is counted"),
        (CORNERED, lambda data: data["proof"]["counts"][0]["bits"].append("box[1,1]"), "one of them twice"),
    ],
)
def test_wrong_certificates_are_refused_with_a_reason(
    text: str, change: Callable[[Data], object], message: str, tmp_path: Path
) -> None:
    done = verify(changed(made(tmp_path, text), change))
    assert message in str(done.reason)
    assert done.exit_code == (4 if message.startswith(("refuted", "one of them twice")) else 2)
    assert done.as_text().count("refuted") == (done.status == "refuted")  # reported once


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", ":1:1: found no JSON"),
        (b'{\n "format": "puzzlemc-certificate",\n "ver', ":3:2: found no JSON"),
        (b"[]", "expected a JSON object"),
        (b"#####\n#@$.#\n#####\n", "found no JSON"),
        (b"\xff\xfe", "that is no UTF-8"),
        (b"[" * 100_000, "expected a certificate"),
        (b'{"format": "puzzlemc-certificate", "version": 1e400}', "version: found Infinity"),
        (b"1" * 10_000, "found a number"),
    ],
)
def test_files_that_are_no_certificates_are_errors(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(content)
    done = verify(tmp_path / "a.json")
    assert (done.status, done.exit_code) == ("unreadable", 2)
    assert message in str(done.reason)


def test_counts_are_checked_before_a_refutation_is_written(tmp_path: Path) -> None:
    """The count that the box is nowhere is wrong; with it everything could be proved."""
    path = changed(made(tmp_path, CORNERED), lambda data: data["proof"]["counts"][0].update(total=0))
    done = verify(path, refutation=tmp_path / "a")
    assert (done.status, "does not show" in str(done.reason)) == ("refuted", True)
    assert not (tmp_path / "a.cnf").exists()


def test_a_duplicate_field_is_refused(tmp_path: Path) -> None:
    path = made(tmp_path, CORNERED)
    path.write_text('{"verdict": "solvable",' + path.read_text()[1:])
    done = verify(path)
    assert done.exit_code == 2
    assert "found the field 'verdict' twice" in str(done.reason)


def test_control_characters_are_escaped(tmp_path: Path) -> None:
    """Each certificate has one row, whatever its content."""
    good = made(tmp_path, CORNERED)
    for id in ("\ud800", "a\nvalid  b\x1b[2J"):
        done = puzzlemc("verify", changed(good, lambda data, id=id: data.update(id=id)))  # type: ignore[misc]
        assert done.returncode == 0
        assert f"valid  {ascii(id)[1:-1]}  unsolvable" in done.stdout
        assert len(done.stdout.splitlines()) == 2
    done = puzzlemc("verify", changed(made(tmp_path, TWO), lambda data: data.update(trace="\ud800")))
    assert done.returncode == 4
    assert "\\ud800 is not a legal move" in done.stdout


def test_file_names_need_not_be_text(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"\xff.xsb")
    try:
        write(path, CORNERED)
    except OSError:
        pytest.skip("this file system takes no such names")
    done = puzzlemc("check", path, "--certificate", tmp_path)
    assert done.returncode == 1
    assert "\\udcff.xsb#1" in done.stdout
    assert verify(tmp_path / "%FF.xsb-1.cert").status == "valid"


def test_verify_continues_after_a_bad_certificate(tmp_path: Path) -> None:
    good = made(tmp_path, CORNERED)
    bad = changed(good, lambda data: data["proof"].update(layers=[0]))
    code, results = as_json("verify", bad, tmp_path / "missing.json", good)
    assert code == 4
    assert [one["status"] for one in results] == ["refuted", "unreadable", "valid"]
    code, results = as_json("verify", tmp_path / "missing.json", good)
    assert code == 2
    assert "No such file" in results[0]["reason"]


def test_a_certificate_of_another_level_is_refused(tmp_path: Path) -> None:
    path = made(tmp_path, CORNERED)
    source = write(tmp_path / "b.xsb", ONE_PUSH, CORNERED)
    assert as_json("verify", path, "--level", f"{source}#2")[0] == 0
    code, (result,) = as_json("verify", path, "--level", f"{source}#1")
    assert code == 4
    assert "about another level" in result["reason"]
    done = puzzlemc("verify", path, "--level", f"{source}#3")
    assert done.returncode == 2
    assert "has 2 levels" in done.stderr


def test_the_verdict_survives_limits_of_certification(tmp_path: Path) -> None:
    (entry,) = load([str(write(tmp_path / "a.xsb", TWO))])
    options = Options()
    result = solve_entry(entry, options)
    tight = certify(entry, replace(options, timeout=1e-9), result, tmp_path / "a.json")
    assert (tight.verdict, tight.cost, tight.checked) == ("solvable", 4, True)
    assert "does not show that the trace is optimal: timeout" in tight.note
    assert verify(tmp_path / "a.json").status == "valid"
    assert not read(tmp_path / "a.json").optimal
    (entry,) = load([str(write(tmp_path / "b.xsb", CORNERED))])
    tight = certify(entry, replace(options, timeout=1e-9), solve_entry(entry, options), tmp_path / "b.json")
    assert (tight.verdict, tight.checked, tight.note) == ("unsolvable", False, "no certificate: timeout")
    assert not (tmp_path / "b.json").exists()


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", CORNERED)
    done = puzzlemc("check", path, "--certificate", path)
    assert done.returncode == 2
    assert "File exists" in done.stderr


def test_unknown_gets_no_certificate_from_an_engine_that_cannot_prove_its_bound(tmp_path: Path) -> None:
    path = write(tmp_path / "a.xsb", hard(4))
    options = ("--timeout", "1", "--engine", "bidirectional")
    code, _ = as_json("check", path, *options, "--certificate", tmp_path / "c")
    assert code == 3
    assert not list((tmp_path / "c").iterdir())


def test_a_check_respects_limits(tmp_path: Path) -> None:
    path = made(tmp_path, hard(1), metric="moves")
    proof = read(path).proof
    assert proof is not None
    done = verify(path, budget=Budget(Limits(memory=1)))
    if done.by != "sat":
        assert (done.status, done.exit_code) == ("unchecked", 2)


def test_certificate_names_fit_file_systems() -> None:
    def names(*ids: str) -> list[str]:
        return list(file_stems(ids).values())

    assert names("a/x.xsb#1", "a/x.xsb#2") == ["x.xsb-1", "x.xsb-2"]
    assert names("a/x.xsb#1", "b/x.xsb#1", "b/y.xsb#1") == [
        "a%2Fx.xsb%231",
        "b%2Fx.xsb%231",
        "y.xsb-1",
    ]
    assert len(set(names("x.xsb#1", "x.xsb-1", "../x.xsb#1"))) == 3


def test_verify_writes_drat_and_aiger(tmp_path: Path) -> None:
    """The files for other tools; the benchmarks run these tools."""
    path = made(tmp_path, CORNERED)
    done = puzzlemc("verify", path, "--drat", tmp_path / "d", "--aiger", tmp_path / "d")
    assert done.returncode == 0
    head = (tmp_path / "d" / "a.cnf").read_text().splitlines()
    assert head[0] == f"p cnf {max(abs(int(v)) for line in head[1:] for v in line.split())} {len(head) - 1}"
    assert (tmp_path / "d" / "a.drat").read_text().splitlines()[-1] == "0"
    found = read(path)
    (entry,) = load([str(tmp_path / "a.xsb")])
    model = puzzle("sokoban").encodings["compact"](entry.level).model
    assert (tmp_path / "d" / "a.model.aig").read_bytes() == machine(model).aiger()
    assert found.proof is not None
    assert (tmp_path / "d" / "a.witness.aig").read_bytes() == witness(model, found.proof).aiger()


@settings(max_examples=examples(20, 40))
@given(level=levels(), data=st.data())
def test_the_circuit_has_the_steps_of_the_model(level: Level, data: st.DataObject) -> None:
    """Along random runs: an input chooses an action by number, and a disabled action leads nowhere."""
    model = puzzle("sokoban").encodings["compact"](level).model
    sequential = machine(model)
    circuit = sequential.circuit
    state = frozenset(b for b, value in zip(model.bits, sequential.initial, strict=True) if value)
    for _ in range(5):
        number = data.draw(st.integers(0, max(0, len(model.actions) - 1)))
        held = Counter(map(str, state))
        held.update(f"choice{i}" for i in range(len(sequential.inputs)) if number >> i & 1)
        after = frozenset(
            b
            for b, literal in zip(model.bits, sequential.following, strict=True)
            if circuit.holds(literal, held.__contains__)
        )
        action = model.actions[number] if model.actions else None
        assert after == (action.fire(state) if action is not None and action.enabled(state) else state)
        state = after
    parts = sequential.aiger().split(b"\n", 1)[0].split()
    assert parts[0] == b"aig"
    assert int(parts[1]) == len(sequential.inputs) + len(model.bits) + len(circuit.gates)


def test_a_trace_is_an_aiger_witness(tmp_path: Path) -> None:
    path = made(tmp_path, ONE_PUSH)
    assert puzzlemc("verify", path, "--aiger", tmp_path).returncode == 0
    lines = (tmp_path / "a.trace").read_text().splitlines()
    assert (lines[0], lines[1], len(lines), lines[-1]) == ("1", "b0", 5, ".")
    (entry,) = load([str(tmp_path / "a.xsb")])
    model = puzzle("sokoban").encodings["compact"](entry.level).model
    assert trace(model, initial_state(model), []).count("\n") == 4


@pytest.mark.parametrize("verdict", BOARDS)
def test_a_circuit_may_have_many_initial_states(tmp_path: Path, verdict: str) -> None:
    """Inputs choose the initial state in the first step; after that only the goal is bad."""
    path = write(tmp_path / "a.tetravex", BOARDS[verdict])
    code, _ = as_json("check", path, "--certificate", tmp_path / "c")
    assert code == (verdict == "unsolvable")
    sokoban = made(tmp_path, CORNERED)
    done = puzzlemc("verify", tmp_path / "c" / "a.tetravex-1.cert", sokoban, "--aiger", tmp_path / "w")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("valid  ") == 2
    (entry,) = load([str(path)])
    model = puzzle("tetravex").encodings["compact"](entry.level).model
    sequential = machine(model)
    assert (tmp_path / "w" / "a.tetravex-1.model.aig").read_bytes() == sequential.aiger()
    if verdict == "solvable":
        lines = (tmp_path / "w" / "a.tetravex-1.trace").read_text().splitlines()
        assert (lines[:2], len(lines), lines[-1]) == (["1", "b0"], 5, ".")
        assert not sequential.circuit.holds(sequential.bad, lambda _: False)
        assert run_of(sequential, lines[3:-1])[-1]
        wrong = lines[3].replace("1", "0", 1)
        assert not run_of(sequential, [wrong])[-1]
        return
    proof = read(tmp_path / "c" / "a.tetravex-1.cert").proof
    assert proof is not None
    guarded = witness(model, proof)
    assert not guarded.circuit.holds(guarded.bad, lambda _: False)  # no state is bad before the first step


def run_of(sequential: Machine, steps: list[str]) -> list[bool]:
    """For each step of the inputs: is the state after it bad?"""
    circuit, latches = sequential.circuit, sequential.circuit.inputs[len(sequential.inputs) :]
    state, bad = {name for name, value in zip(latches, sequential.initial, strict=True) if value}, []
    for step in steps:
        held = state | {name for name, value in zip(sequential.inputs, step, strict=True) if value == "1"}
        state = {
            name
            for name, literal in zip(latches, sequential.following, strict=True)
            if circuit.holds(literal, held.__contains__)
        }
        bad.append(circuit.holds(sequential.bad, state.__contains__))
    return bad


def test_a_failed_write_does_not_end_other_writes(tmp_path: Path) -> None:
    files = [made(tmp_path, ONE_PUSH)]
    files.append(tmp_path / "b.json")
    files[1].write_text(files[0].read_text())
    (tmp_path / "w" / "a.model.aig").mkdir(parents=True)
    done = puzzlemc("verify", *files, "--aiger", tmp_path / "w")
    assert done.returncode == 2
    assert "2 of 2 valid" in done.stdout
    assert "a.model.aig: Is a directory" in done.stderr
    assert (tmp_path / "w" / "b.trace").exists()


@pytest.mark.parametrize(
    ("to", "files", "begin"),
    [
        ("aiger", ["m.x"], b"aig "),
        ("btor2", ["m.x"], b"; Atoms"),
        ("smv", ["m.x"], b"MODULE main"),
        ("sas", ["m.x"], b"begin_version\n3\n"),
        ("pddl", ["m.domain.pddl", "m.problem.pddl"], b"(define (domain"),
    ],
)
def test_export_writes_every_format(to: str, files: list[str], begin: bytes, tmp_path: Path) -> None:
    level = write(tmp_path / "a.xsb", ONE_PUSH)
    done = puzzlemc("export", level, "--to", to, "-o", tmp_path / "m.x")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(tmp_path / name) for name in files]
    assert begin in (tmp_path / files[0]).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("{level}", "--to", "x", "-o", "m"),
            "'x' is unknown, expected one of aiger, btor2, dimacs, dot, graphml, oracle, page, pddl, sas, smv",
        ),
        (("{folder}", "--to", "smv", "-o", "m"), "found 2 levels, expected one"),
        (("{folder}/no.xsb", "--to", "smv", "-o", "m"), "found no such file"),
        (("{level}#1", "--to", "smv", "-o", "{folder}"), "Is a directory"),
        (("{level}#1", "--to", "pddl", "-o", "/"), "Is a directory"),
        (("{level}#1", "--to", "smv", "--encoding", "x", "-o", "m"), "'x' is unknown"),
        (("{level}#1", "--to", "dimacs", "-o", "m"), "DIMACS needs a number of steps: --bound K"),
        (
            ("{level}#1", "--to", "btor2", "-o", "m", "--bound", "3"),
            "found 3 with --to btor2, expected it with --to dimacs",
        ),
        (
            ("{level}#1", "--to", "page", "-o", "m", "--states", "9"),
            "expected it with --to dot or graphml or oracle",
        ),
    ],
)
def test_impossible_exports_are_errors(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    level = write(tmp_path / "a.xsb", ONE_PUSH, CORNERED)
    filled = [
        argument.format(level=f"{level}#1" if "#" not in argument else level, folder=tmp_path)
        for argument in arguments
    ]
    done = puzzlemc("export", *filled)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())


def test_verify_takes_a_folder_of_all_kinds_of_certificates(tmp_path: Path) -> None:
    """Each suffix names the kind, and older files with the suffix .json are still read."""
    folder, old = tmp_path / "proofs", tmp_path / "old"
    write(tmp_path / "a.xsb", ONE_PUSH, CORNERED)
    game = ROOT / "screens" / "levels" / "fabrik" / "forced.fabrik"
    assert as_json("check", "--why", tmp_path / "a.xsb", f"{game}#1", "--certificate", folder)[0] in (0, 1)
    assert {path.suffix for path in folder.iterdir()} == {".cert", ".strategies"}
    old.mkdir()
    (old / "a.json").write_bytes((folder / "a.xsb-1.cert").read_bytes())
    code, results = as_json("verify", folder, old)
    assert (code, {each["status"] for each in results}) == (0, {"valid"})
    assert {Path(each["path"]) for each in results} == {*folder.iterdir(), *old.iterdir()}
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "notes.txt").write_text("")
    done = puzzlemc("verify", tmp_path / "none")
    assert (done.returncode, "expected .cert, .strategies, .json" in done.stderr) == (2, True)
