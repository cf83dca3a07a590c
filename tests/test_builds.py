"""What others build with: the action in `action.yml`, the hook for pre-commit, and the recipes of the docs."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml
from actions import Runner
from check_jsonschema import main as check_schema
from click.testing import CliRunner
from command import CORNERED, ONE_PUSH, puzzlemc, script, write
from places import ROOT
from pre_commit.clientlib import load_config, load_manifest

from puzzlemc.encodings.puzzles import puzzles
from puzzlemc.reports.cli.common.building import failing_of
from puzzlemc.reports.cli.common.options import Build
from puzzlemc.screens.base.source import AMBIGUOUS

RECIPES = ROOT / "docs" / "recipes"
WORKFLOWS = ROOT / ".github" / "workflows"
HOOKS = ROOT / ".pre-commit-hooks.yaml"
SOLVE = ("Solve", "Keep the answers", "Upload the report")


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ("github-actions", ROOT / "action.yml"),
        ("github-workflows", RECIPES / "github-action.yml"),
        ("github-workflows", WORKFLOWS / "tests.yml"),
        ("github-workflows", WORKFLOWS / "wheels.yml"),
        ("gitlab-ci", RECIPES / "gitlab-ci.yml"),
    ],
)
def test_files_for_services_are_valid(schema: str, path: Path) -> None:
    """They follow the schemas of the services, which `check-jsonschema` brings."""
    done = CliRunner().invoke(check_schema, ["--builtin-schema", f"vendor.{schema}", str(path)])
    assert (done.exit_code, done.output) == (0, "ok -- validation done\n")


def test_the_schema_refuses_another_action(tmp_path: Path) -> None:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    (tmp_path / "action.yml").write_text(text.replace("      shell: bash\n", "", 1), encoding="utf-8")
    asked = ["--builtin-schema", "vendor.github-actions", str(tmp_path / "action.yml")]
    assert CliRunner().invoke(check_schema, asked).exit_code == 1


def test_the_inputs_of_the_action_are_options() -> None:
    inputs = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
    assert set(inputs) == {"paths", "expect", "timeout", "metric", "jobs", "fail-on"}
    assert failing_of(Build(fail_on=inputs["fail-on"]["default"])) == failing_of(Build())
    described = set(re.findall(r"^\| `([a-z-]+)` \|", (ROOT / "docs" / "builds.md").read_text(), re.MULTILINE))
    assert set(inputs) <= described


def prepared(tmp_path: Path, *levels: str, **inputs: str) -> Runner:
    """A runner in whose environment this program is installed already, and a checkout with levels."""
    work = tmp_path / "work"
    (work / "levels").mkdir(parents=True, exist_ok=True)
    write(work / "levels" / "a.xsb", *levels)
    runner = Runner(ROOT, work, tmp_path, sys.executable, {"paths": "levels", **inputs})
    programs = runner.temporary / "puzzlemc" / "venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "puzzlemc").symlink_to(Path(sys.executable).with_name("puzzlemc"))
    return runner


def test_the_action_shows_what_was_found_and_fails(tmp_path: Path) -> None:
    runner = prepared(tmp_path, ONE_PUSH, CORNERED)
    solve, _, _ = runner.run(*SOLVE)
    assert solve.code == 1
    line = "::error file=levels/a.xsb,line=6,col=1,title=unsolvable%3A #2 Cornered::there is no solution\n"
    assert solve.output == line
    assert all(each.startswith("| ") for each in solve.errors.splitlines()), solve.errors
    assert runner.outputs["action"]["exit-code"] == "1"
    report = tmp_path / "artifacts" / "puzzlemc-levels-0"
    assert {each.name for each in report.iterdir()} == {"puzzlemc.sarif", "junit.xml", "levels.html"}
    assert ElementTree.parse(report / "junit.xml").getroot()[0].get("failures") == "1"
    assert (tmp_path / "caches").exists(), "the answers are kept although the build fails"


def test_the_action_passes_its_inputs(tmp_path: Path) -> None:
    """Also hostile ones: a value is never a part of the script."""
    write(tmp_path / "x.xsb", ONE_PUSH)
    runner = prepared(tmp_path, CORNERED, paths=f"levels\n{tmp_path}/x.xsb\n\n$(touch broken)`touch broken`;\"'\n")
    runner.inputs = {**runner.inputs, "fail-on": "unsolvable", "timeout": "5", "metric": "moves", "jobs": "1"}
    (solve, *_) = runner.run("Solve")
    assert solve.code == 1
    assert [line.split(" ")[0] for line in solve.output.splitlines()] == ["::warning", "::error"][::-1]
    assert "$(touch broken)`touch broken`;\"': " in solve.errors
    assert not list(tmp_path.rglob("broken"))
    assert (
        puzzlemc("results", runner.outputs["solve"]["store"], "--where", "moves = 1").stdout.count("x.xsb#1") == 1
    )


def test_names_of_levels_are_no_commands_to_the_runner(tmp_path: Path) -> None:
    """A runner takes `::` at the start of a line for a command, and `##[` anywhere."""
    runner = prepared(tmp_path, ONE_PUSH)
    write(tmp_path / "work" / "levels" / "##[add-mask]a.xsb", "no board")
    (solve,) = runner.run("Solve")[:1]
    assert solve.code == 2
    assert r"levels/##\x5badd-mask]a.xsb" in solve.errors
    assert "##[" not in solve.errors
    assert all(line.startswith("::error ") for line in solve.output.splitlines())


def test_the_digest_is_of_sources_alone(tmp_path: Path) -> None:
    first = script(ROOT / "tools" / "source_digest.py").stdout
    assert re.fullmatch(r"[0-9a-f]{20}\n", first)
    copy = tmp_path / "copy"
    for name in ("encodings", "mc", "reports", "screens", "shell", "tools"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for name in ("pyproject.toml", "setup.cfg", "setup.py"):
        shutil.copy(ROOT / name, copy)
    assert script(copy / "tools" / "source_digest.py").stdout == first
    with (copy / "mc" / "errors.py").open("a") as file:
        file.write("\n")
    assert script(copy / "tools" / "source_digest.py").stdout != first


def test_the_hook_takes_files_of_levels() -> None:
    (hook,) = load_manifest(str(HOOKS))
    suffixes = {
        suffix for name in puzzles() if name != "pddl" for suffix in puzzles()[name].screen.SUFFIXES
    } - set(AMBIGUOUS)  # a planning problem needs the file of its domain
    assert suffixes
    for suffix in suffixes:
        assert re.search(hook["files"], f"levels/one{suffix}")
    assert not re.search(hook["files"], "levels/one.txt")
    assert failing_of(Build(fail_on=hook["args"][-1])) == {"unsolvable", "error"}
    (repo,) = load_config(str(RECIPES / "pre-commit-config.yaml"))["repos"]
    assert [each["id"] for each in repo["hooks"]] == [hook["id"]]


def test_the_hook_refuses_what_it_is_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (hook,) = load_manifest(str(HOOKS))
    monkeypatch.chdir(tmp_path)
    _, *words = hook["entry"].split()
    write(tmp_path / "good.xsb", ONE_PUSH)
    write(tmp_path / "bad.xsb", CORNERED)
    assert puzzlemc(*words, *hook["args"], "good.xsb").returncode == 0
    assert puzzlemc(*words, *hook["args"], "good.xsb", "bad.xsb").returncode == 1


def test_the_recipe_for_gitlab_runs(tmp_path: Path) -> None:
    """Its script, as GitLab runs it: with a shell, and all lines in one process."""
    job = yaml.safe_load((RECIPES / "gitlab-ci.yml").read_text(encoding="utf-8"))["levels"]
    (tmp_path / "levels").mkdir()
    (tmp_path / ".cache").mkdir()
    write(tmp_path / "levels" / "a.xsb", ONE_PUSH, CORNERED)
    environment = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(tmp_path)}
    lines = "\n".join(["set -eo pipefail", *job["script"]])
    done = subprocess.run(
        ["bash", "-c", lines], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    for name in job["artifacts"]["paths"]:
        assert (tmp_path / name).stat().st_size
    assert ElementTree.parse(tmp_path / "junit.xml").getroot()[0].get("failures") == "1"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone of what is committed, as services take it."""
    subprocess.run(["git", "clone", "-q", str(ROOT), str(tmp_path / "clone")], check=True)
    return tmp_path / "clone"


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_action_from_a_clone(tmp_path: Path, clone: Path) -> None:
    """All steps, in an environment without anything of this one. A second run has the wheels and the answers."""
    work = tmp_path / "work"
    (work / "levels").mkdir(parents=True)
    write(work / "levels" / "a.xsb", ONE_PUSH, CORNERED)
    python = os.path.realpath(sys.executable)
    runs = []
    for number in "12":
        runner = Runner(clone, work, tmp_path, python, {"paths": "levels"}, number)
        runs.append(runner.run())
        assert [each.code for each in runs[-1] if each.name != "Solve"] == [0] * (len(runs[-1]) - 1), runs[-1]
        assert runner.outputs["action"]["exit-code"] == "1"
    names = [[each.name for each in run] for run in runs]
    assert "Build the wheels" in names[0]
    assert "Build the wheels" not in names[1]
    first, second = (next(each for each in run if each.name == "Solve") for run in runs)
    assert first.output == second.output
    assert ("solved in this run: 2" in first.errors, "solved in this run: 0" in second.errors) == (True, True)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_hook_from_a_clone(tmp_path: Path, clone: Path) -> None:
    """`pre-commit try-repo` installs the hook from a clone, and runs it on the levels of another repository.

    It installs the hook anew each time.
    """
    work = tmp_path / "work"
    work.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=work, check=True)
    write(work / "good.xsb", ONE_PUSH)
    write(work / "bad.xsb", CORNERED)
    subprocess.run(["git", "add", "."], cwd=work, check=True)
    environment = os.environ | {
        "PRE_COMMIT_HOME": str(tmp_path / "home"),
        "CFLAGS": "-Wno-incompatible-pointer-types",
    }
    asked = [sys.executable, "-m", "pre_commit", "try-repo", str(clone), "puzzlemc", "--verbose", "--files"]
    done = subprocess.run(
        [*asked, "good.xsb", "bad.xsb"], cwd=work, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Failed" in done.stdout
    assert re.search(r"good\.xsb#1 .* solvable ", done.stdout)
    assert re.search(r"bad\.xsb#1 .* unsolvable", done.stdout)
