"""The comparison with Fast Downward on problems in PDDL."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from types import ModuleType

import pytest
from places import ROOT

pytest.importorskip("fast_downward", reason="needs fast-downward-translate")

LEVEL = ROOT / "screens" / "levels" / "pddl" / "lamps.pddl"


@pytest.fixture
def script() -> ModuleType:
    spec = spec_from_file_location("compare_pddl", ROOT / "benchmarks" / "pddl.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("cost", [3, 2])
def test_different_answers_are_found(
    script: ModuleType, cost: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(script, "peer", lambda *_: ("solvable", cost))
    monkeypatch.setattr(sys, "argv", ["pddl.py", str(LEVEL), "--driver", "none"])
    assert script.main() == (cost != 3)
    assert f"1 compared, {int(cost != 3)} different" in capsys.readouterr().out


def test_the_peer_reads_the_same_text(script: ModuleType) -> None:
    if not script.usual_driver():
        pytest.skip("needs up-fast-downward")
    domain = LEVEL.with_name("lamps-domain.pddl").read_text()
    assert script.peer(script.usual_driver(), "astar(blind())", domain, LEVEL.read_text(), 20) == ("solvable", 3)
