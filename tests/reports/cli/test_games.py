"""PuzzleScript games in the commands: what is read and refused, limits of turns, formats, proofs."""

import json
import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from shutil import copy

import pytest
from command import PROGRAM, puzzlemc, write
from places import ROOT
from tug import GAME

from puzzlemc.mc.proofs.circuit import Circuit
from puzzlemc.mc.proofs.layered import LayeredProof
from puzzlemc.reports.certify.certificate import read
from puzzlemc.reports.certify.certificate import write as write_certificate
from puzzlemc.reports.certify.verify import model_of

ROW = "########\n#.o.ps.#\n########\n"
BLOCKED = "#######\n#s.p.o#\n#######\n"
# The turn `up` does not settle: a stone has more cells ahead than a turn has rounds.
ENDLESS = f"""title Endless
OBJECTS
Background
black
Player
red
Goal
white
Rest
grey
Stone
blue
LEGEND
. = Background
P = Player
G = Goal
A = Rest
SOUNDS
COLLISIONLAYERS
Background
Goal
Player, Rest
Stone
RULES
[ up Player ] [ Rest ] -> [ Player ] [ Stone ]
right [ Stone ] -> [ > Stone ] again
WINCONDITIONS
All Player on Goal
LEVELS

P.G{520 * "."}
A..

PAG{520 * "."}
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return write(tmp_path / "tug.txt", f"{GAME}\nmessage First\n\n{ROW}\nmessage Second\n\n{BLOCKED}")


def rows(*arguments: str | Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in puzzlemc(*arguments, "--json").stdout.splitlines()]


class TestReading:
    @pytest.mark.parametrize("name", ["game", "game.txt", "game.ps", "game.puzzlescript", "game.md"])
    def test_a_game_is_recognised_whatever_its_suffix(self, name: str, tmp_path: Path, game: Path) -> None:
        copy(game, tmp_path / name)
        first, second = rows("solve", tmp_path / name)
        assert (first["puzzle"], first["title"], first["verdict"]) == ("puzzlescript", "First", "solvable")
        assert (first["trace"], first["cost"], first["optimal"], first["checked"]) == (["left"] * 3, 3, True, True)
        assert (second["id"], second["verdict"]) == (f"{tmp_path / name}#2", "unsolvable")

    def test_a_folder_keeps_games_and_levels_of_other_puzzles_apart(self, tmp_path: Path, game: Path) -> None:
        write(tmp_path / "push.txt", "#####\n#@$.#\n#####\n")
        write(tmp_path / "notes.txt", "A list of objects and rules that is no game.\n")
        assert [row["puzzle"] for row in rows("check", tmp_path)] == ["sokoban", "puzzlescript", "puzzlescript"]

    @pytest.mark.parametrize(
        ("old", "new", "place", "words"),
        [
            ("[ < Worker", "often [ < Worker", "45:1", "beginning of a rule"),
            ("[ < Worker | Sled ] ->", "[ randomDir Worker | Sled ] ->", "45:3", "before the arrow"),
        ],
    )
    def test_what_is_no_puzzle_of_turns_is_refused_with_its_place(
        self, game: Path, tmp_path: Path, old: str, new: str, place: str, words: str
    ) -> None:
        text = game.read_text(encoding="utf-8")
        line = 1 + text[: text.index(old)].count("\n")
        bad = write(tmp_path / "bad.txt", text.replace(old, new))
        done = puzzlemc("check", bad, game)
        place = place.replace("45", str(line))
        assert done.returncode == 2
        assert re.search(rf"bad\.txt:{place}: .*{words}", done.stdout), done.stdout
        assert "1 solvable" in done.stdout

    def test_warnings_are_written_once_for_a_file(self, tmp_path: Path, game: Path) -> None:
        odd = write(tmp_path / "odd.txt", game.read_text(encoding="utf-8").replace("SOUNDS", "SOUNDS\n)"))
        done = puzzlemc("check", odd)  # with two levels
        assert len(re.findall(r"odd\.txt:\d+:1: warning: found a closing bracket", done.stderr)) == 1
        assert "warning:" not in done.stdout
        assert "warning:" not in puzzlemc("check", game).stderr


class TestEndlessTurns:
    @pytest.fixture
    def endless(self, tmp_path: Path) -> Path:
        return write(tmp_path / "endless.txt", ENDLESS)

    def test_a_level_is_unknown_never_unsolvable(self, endless: Path) -> None:
        (row,) = rows("check", f"{endless}#2")
        assert (row["verdict"], row["reason"], row["bound"]) == ("unknown", "bound", 1)
        done = puzzlemc("check", f"{endless}#2")
        assert done.returncode == 3
        assert "a turn does not settle within 500 rounds" in done.stderr

    def test_a_solution_beside_them_is_not_proved_to_be_shortest(self, endless: Path) -> None:
        (row,) = rows("solve", f"{endless}#1")
        assert (row["verdict"], row["cost"], row["optimal"]) == ("solvable", 2, False)

    def test_formulas_are_unknown(self, endless: Path) -> None:
        done = puzzlemc("query", f"{endless}#1", "AG EF won")
        assert done.returncode == 3
        assert "does not settle" in done.stdout

    def test_replay_follows_turns_that_settle(self, endless: Path, tmp_path: Path) -> None:
        good, bad = write(tmp_path / "good", "right right"), write(tmp_path / "bad", "right up")
        assert puzzlemc("replay", f"{endless}#1", good).returncode == 0
        done = puzzlemc("replay", f"{endless}#1", bad)
        assert done.returncode == 3
        assert "does not settle within 500 rounds" in done.stderr

    def test_rules_at_the_start_that_do_not_settle(self, tmp_path: Path) -> None:
        rules = "run_rules_on_level_start\nOBJECTS"
        text = ENDLESS.replace("OBJECTS", rules, 1).replace("[ up Player ] [ Rest ] -> [ Player ] [ Stone ]\n", "")
        level = write(tmp_path / "start.txt", text.replace("A = Rest", "A = Stone"))
        (row,) = rows("check", f"{level}#1")
        assert (row["verdict"], row["reason"], row["bound"]) == ("unknown", "bound", 0)
        words = "the rules at the start of the level do not settle within 500 rounds"
        for command in (("check",), ("query", "AG EF won"), ("report", "-o", tmp_path / "page.html")):
            done = puzzlemc(command[0], f"{level}#1", *command[1:])
            assert done.returncode == 3
            assert words in done.stdout + done.stderr


def test_an_engine_that_needs_formulas_names_the_encoding_that_has_them(game: Path, tmp_path: Path) -> None:
    done = puzzlemc("check", f"{game}#1", "--engine", "bmc")
    assert done.returncode == 2
    assert "expected one of auto, explicit, or --encoding tiles" in done.stdout
    done = puzzlemc("export", f"{game}#1", "--to", "smv", "-o", tmp_path / "level.smv")
    assert done.returncode == 2
    assert "--encoding tiles" in done.stderr
    assert puzzlemc("check", f"{game}#1", "--engine", "bmc", "--encoding", "tiles").returncode == 0


class TestAnswers:
    def test_why_names_win_conditions(self, game: Path, tmp_path: Path) -> None:
        assert "`all sled on hook` never holds" in puzzlemc("check", f"{game}#2", "--why").stdout
        text = game.read_text(encoding="utf-8").replace(
            "All Sled on Hook", "All Sled on Hook\nSome Worker on Hook\nNo Wall"
        )
        done = puzzlemc("check", f"{write(tmp_path / 'walls.txt', text)}#1")
        assert re.search(r"`no wall` \(line \d+\) can never hold", done.stdout)

    def test_certificates_are_verified_and_belong_to_their_level(self, game: Path, tmp_path: Path) -> None:
        assert puzzlemc("check", game, "--certificate", tmp_path / "certs").returncode == 1
        first, second = sorted((tmp_path / "certs").glob("*.cert"))
        for path, level in ((first, f"{game}#1"), (second, f"{game}#2")):
            assert puzzlemc("verify", path, "--level", level).returncode == 0
        assert puzzlemc("verify", first, "--level", f"{game}#2").returncode == 4

    def test_a_circuit_is_no_proof(self, game: Path, tmp_path: Path) -> None:
        """The actions of a step system have no formulas: "not won" would seem to be an invariant of each level."""
        puzzlemc("check", f"{game}#1", "--certificate", tmp_path / "certs")
        (path,) = (tmp_path / "certs").glob("*.cert")
        true = read(path)
        circuit = Circuit([str(bit) for bit in model_of(true, str(path)).model.bits])
        proof = LayeredProof(circuit, (circuit.input("won") ^ 1,))
        forged = replace(true, verdict="unsolvable", cost=None, optimal=False, trace=None, proof=proof)
        write_certificate(forged, tmp_path / "forged.cert")
        done = puzzlemc("verify", tmp_path / "forged.cert")
        assert done.returncode == 4
        assert "the inputs of the circuit are not the bits of the model" in done.stdout

    def test_engines_that_need_formulas_say_so(self, game: Path, tmp_path: Path) -> None:
        for arguments in (
            ("export", f"{game}#2", "--to", "smv", "-o", str(tmp_path / "x.smv")),
            ("check", f"{game}#2", "--engine", "ic3"),
            ("query", f"{game}#2", "AG EF won", "--engine", "symbolic"),
        ):
            done = puzzlemc(*arguments)
            assert done.returncode == 2
            assert "formulas" in done.stdout + done.stderr

    def test_conversion_keeps_the_game_and_its_levels(self, game: Path, tmp_path: Path) -> None:
        assert puzzlemc("convert", game, tmp_path / "all.puzzlescript").returncode == 0
        assert [row["cost"] for row in rows("check", tmp_path / "all.puzzlescript")] == [3, None]
        other = write(tmp_path / "other.txt", f"{GAME.replace('Tug', 'Other')}\n{ROW}")
        assert puzzlemc("convert", tmp_path, tmp_path / "both.txt").returncode == 2, other

    def test_a_store_knows_levels_with_the_same_rules(self, game: Path, tmp_path: Path) -> None:
        """Comments, names and sprites do not matter, rules do."""
        same = game.read_text(encoding="utf-8").replace("title Tug", "title Drag").replace("#8e5a2b", "brown")
        write(tmp_path / "same.txt", same)
        write(tmp_path / "pushed.txt", same.replace("[ < Worker | Sled ] -> [ < Worker | < Sled ]",
                                                    "[ > Worker | Sled ] -> [ > Worker | > Sled ]"))  # fmt: skip
        store = tmp_path / "store.db"
        puzzlemc("batch", game, tmp_path / "same.txt", tmp_path / "pushed.txt", "--store", store)
        shown = puzzlemc("results", store).stdout
        assert "4 levels: 1 solvable, 3 unsolvable" in shown
        assert shown.count("also ") == 2

    def test_closed_output_ends_quietly(self, game: Path) -> None:
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(
            [*PROGRAM, "check", str(game)], stdout=writer, stderr=subprocess.PIPE, check=False, cwd=ROOT
        )
        os.close(writer)
        assert (done.returncode, done.stderr) == (141, b"")

    def test_a_small_limit_leaves_a_bound(self) -> None:
        level = ROOT / "screens" / "levels" / "puzzlescript" / "thaw.txt"
        (row,) = rows("check", f"{level}#15", "--timeout", "0.05")
        assert row["verdict"] in ("unknown", "solvable")
        if row["verdict"] == "unknown":
            assert row["reason"] == "timeout"
