"""The stand-alone checker of strategies against chance: it shares nothing with `verify`, and they agree."""

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

from examples import examples
from puzzlemc.encodings.puzzles import Entry, load, puzzle
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.strategies import read
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.puzzlescript.game import Level

GAMES = ROOT / "tests" / "chance_games"
RANDOM = ROOT.parent / "shared" / "puzzlescript" / "random_chance.jsonl"
TOOL = ROOT / "tools" / "check_certificate.py"


@pytest.fixture(scope="module")
def modules() -> Iterator[tuple[Any, Any]]:
    """The checker, and the mutants."""
    with pytest.MonkeyPatch.context() as patch:
        for folder in ("tools", "benchmarks"):
            patch.syspath_prepend(str(ROOT / folder))
        yield import_module("check_strategies"), import_module("strategy_mutants")


@pytest.fixture(scope="module")
def proofs(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, int | None]:
    """The certificates of all levels of the games, with the numbers of turns."""
    folder, found = tmp_path_factory.mktemp("proofs"), dict[Path, int | None]()
    for one in load([GAMES], "puzzlescript"):
        for asked in ("lucky", "surely"):
            path, turns = certified(one, asked, folder)
            found[path] = turns
    return found


def certified(one: Entry, asked: str, folder: Path) -> tuple[Path, int | None]:
    """The certificate of a level in a folder, with the number of turns."""
    options = Options(chance=asked, prove=True)
    path = folder / f"{Path(one.id).name}.cert"
    result = certify(one, options, solve_entry(one, options), path)
    assert result.checked
    return path.with_suffix(f".{asked}.strategies"), result.cost


def said(tool: Any, path: Path) -> str:
    """What the checker says of a file: what it shows, or the kind of its error."""
    try:
        return str(tool.check(path))
    except tool.Refuted:
        return "refuted"
    except tool.NotChecked:
        return "not checked"
    except (tool.Unreadable, LookupError, TypeError, ValueError, AttributeError):
        return "unreadable"


def words(asked: str, turns: int | None) -> str:
    if turns is None:
        return f"{asked}: unsolvable"
    return f"{asked}: solvable in {counted(turns, 'turns')}, and not in fewer"


def test_it_finds_what_the_program_says(modules: Any, proofs: dict[Path, int | None]) -> None:
    assert len(proofs) > 40
    for path, turns in proofs.items():
        asked = path.stem.rpartition(".")[2]
        assert said(modules[0], path) == words(asked, turns)


def test_it_judges_mutants_as_the_program_does(
    modules: Any, proofs: dict[Path, int | None], tmp_path: Path
) -> None:
    tool, changes = modules
    chance, place, counts = random.Random(1), tmp_path / "mutant.strategies", Counter[str]()
    for path in list(proofs)[:: examples(6, 1)]:
        for kind, text in changes.mutants(read(path), examples(1, 5), chance):
            place.write_text(text, encoding="utf-8")
            done = verify(place)
            found = said(tool, place)
            # The checker reads the texts of games less strictly, and takes fewer of them.
            is_refused = done.status == "unreadable" and kind in ("row", "cell", "character")
            if is_refused or found == "not checked" or done.status == "unchecked":
                counts["not compared"] += 1
                continue
            is_valid = ":" in found
            assert is_valid == (done.status == "valid"), (path, kind, found, done.reason)
            counts[done.status] += 1
            if is_valid and done.certificate is not None and done.asked is not None:
                assert done.certificate.optimal == ("fewer" in found)
                if done.certificate.cost is not None:
                    assert f"in {counted(done.certificate.cost, 'turns')}" in found
    assert counts["refuted"] > examples(45, 270)
    assert counts["valid"] > examples(2, 15)
    assert counts["not compared"] < counts["refuted"] // 2


# The start draws a dog, or an egg that becomes a hen, a nest and an egg again for ever.
HANGS = """title Hangs
run_rules_on_level_start

OBJECTS
background
black

player
white

egg
red

hen
blue

nest
brown

fox
orange

dog
gray

LEGEND
. = background
P = player
F = fox

SOUNDS

COLLISIONLAYERS
background
player
egg, hen, nest, fox, dog

RULES
right [ fox ] -> [ random egg random dog ]
right [ hen ] -> [ nest ] again
right [ egg ] -> [ hen ] again
right [ nest ] -> [ egg ]

WINCONDITIONS
some player on dog

LEVELS

PF
"""


def test_it_knows_levels_that_may_never_begin(modules: Any, tmp_path: Path) -> None:
    (level,) = puzzle("puzzlescript").screen.parse(HANGS, "hangs")
    for asked, turns in (("lucky", 1), ("surely", None)):
        path, found = certified(Entry("hangs#1", "", puzzle("puzzlescript"), level), asked, tmp_path)
        assert found == turns
        assert said(modules[0], path) == words(asked, turns)


def test_messages_stand_before_and_after_the_level_of_a_game(modules: Any, tmp_path: Path) -> None:
    levels = puzzle("puzzlescript").screen.parse(HANGS.replace("PF", "message one\n\nPF\nmessage\n\nPPF"), "hangs")
    for number, level in enumerate(levels):
        path, turns = certified(Entry(f"hangs#{number}", "", puzzle("puzzlescript"), level), "lucky", tmp_path)
        assert said(modules[0], path) == words("lucky", turns)
    text = path.read_text()
    for boards in ("message one\\n\\npf\\nmessagepf", "pf\\nmessage two\\npf", "pf\\n\\npf"):
        path.write_text(text.replace("ppf", boards).replace("PPF", boards))
        assert path.read_text() != text
        assert said(modules[0], path) == "not checked"


@pytest.mark.corpus
@pytest.mark.parametrize("part", [29])
def test_it_plays_random_games_as_the_program_does(modules: Any, part: int, tmp_path: Path) -> None:
    if not RANDOM.is_file():
        pytest.skip(f"the random games are not here: {RANDOM}")
    counts = Counter[bool]()
    for line in RANDOM.read_text().splitlines()[::part]:
        game = json.loads(line)
        (level,) = puzzle("puzzlescript").screen.parse(game["game"], game["name"])
        known = puzzle("puzzlescript").chance(level) if isinstance(level, Level) else None
        if known is None or not known.decides:
            continue
        for asked in ("lucky", "surely"):
            path, turns = certified(Entry(game["name"], "", puzzle("puzzlescript"), level), asked, tmp_path)
            found = said(modules[0], path)
            counts[found == "not checked"] += 1
            assert found in (words(asked, turns), "not checked"), game["name"]
    assert counts[False] > 10 > counts[True]


def test_the_checker_of_certificates_takes_folders_with_strategies(proofs: dict[Path, int | None]) -> None:
    folder = next(iter(proofs)).parent
    command = [sys.executable, "-I", str(TOOL), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert (done.returncode, len(lines)) == (0, len(proofs))
    assert all(line.startswith("valid: ") for line in lines)


@pytest.mark.parametrize(
    ("old", "new", "status", "code"),
    [
        ("survives 2\\n", "survives 1\\n", "unreadable", 2),
        ('level ["', "level " + "[" * 200_000 + '"', "unreadable", 2),
        ("- m0", "3 m0", "refuted", 4),
        ("chance surely", "chance lucky", "refuted", 4),
        ("chance surely", "chance always", "not checked", 2),
        ("late [", "rigid [", "not checked", 2),
        ("-> restart", "->]restart", "not checked", 2),
        ("title", "titel", "not checked", 2),
        ("late [ player pit ] -> restart", "late [ player pit ] -> checkpoint", "not checked", 2),
    ],
)
def test_a_wrong_file_has_the_exit_code_of_its_fault(
    old: str, new: str, status: str, code: int, proofs: dict[Path, int | None], tmp_path: Path
) -> None:
    (path,) = (each for each in proofs if each.name == "glaze.txt#2.surely.strategies")
    text = path.read_text()
    if "survives" in old:
        count = text.rpartition("survives ")[2].partition("\n")[0]
        old, new = f"survives {count}\n", f"survives {int(count) - 1}\n"
    changed = text.replace(old, new) if old in text else text.replace(old.replace("player pit", "Player Pit"), new)
    assert changed != text
    place = tmp_path / "wrong.strategies"
    place.write_text(changed)
    done = subprocess.run([sys.executable, str(TOOL), str(place)], capture_output=True, text=True, check=False)
    assert (done.stdout.partition(":")[0], done.returncode) == (status, code)
