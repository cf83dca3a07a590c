"""Levels by argument: files, folders, `FILE#N` and standard input, and all errors."""

import builtins
import io
import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from systems import FIFOS, fifos

from puzzlemc.encodings.puzzles import Entry, Puzzles, load, puzzle, puzzles, walk
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens import sokoban
from puzzlemc.screens.base import part, source
from puzzlemc.screens.base.errors import LevelError

ROOM = "######\n#@$ .#\n######"
BAD = "#####\n#@q.#\n#####"
THREE = f"; one\n{ROOM}\n\n; two\n{BAD}\n\n; three\n{ROOM}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change into an empty folder, so that the ids are short."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    def put(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))

    return put


def ids(entries: list[Entry]) -> list[str]:
    return [entry.id for entry in entries]


def refused(*arguments: str, puzzle: str | None = None) -> str:
    """Load an argument that gives one error besides a good level; return the error as text."""
    Path("good.xsb").write_text(ROOM, encoding="utf-8")
    bad, good = load([*arguments, "good.xsb"], puzzle)
    assert bad.level is None
    assert bad.error is not None
    assert good.id == "good.xsb#1"
    line = str(bad.error)
    assert len(line.splitlines()) == 1
    return line


class TestFile:
    def test_a_file_gives_all_its_levels(self) -> None:
        Path("a.xsb").write_text(THREE, encoding="utf-8")
        one, two, three = load(["a.xsb"])
        assert (one.id, one.title, one.puzzle_name, one.error) == ("a.xsb#1", "one", "sokoban", None)
        assert one.level == sokoban.parse(THREE, "a.xsb")[0]
        assert (two.id, two.title, two.puzzle_name, two.level) == ("a.xsb#2", "two", "sokoban", None)
        assert str(two.error) == "a.xsb:8:3: found 'q', expected one of # @ + $ * . space - _ (level #2, two)"
        assert (three.id, three.title, three.error) == ("a.xsb#3", "three", None)

    def test_ids_keep_the_given_path(self) -> None:
        Path("sub").mkdir()
        Path("sub/a.xsb").write_text(ROOM, encoding="utf-8")
        assert ids(load(["sub/../sub//a.xsb"])) == ["sub/../sub//a.xsb#1"]

    def test_levels_are_in_the_order_of_arguments(self) -> None:
        Path("a.xsb").write_text(ROOM, encoding="utf-8")
        Path("b.xsb").write_text(ROOM, encoding="utf-8")
        assert ids(load(["b.xsb", "a.xsb", "b.xsb"])) == ["b.xsb#1", "a.xsb#1", "b.xsb#1"]

    def test_no_arguments_give_no_levels(self) -> None:
        assert load([]) == []

    def test_a_suffix_may_be_in_capitals(self) -> None:
        Path("A.XSB").write_text("no level", encoding="utf-8")
        assert "found text but no row of a board" in str(load(["A.XSB"])[0].error)

    def test_a_missing_file_is_an_error(self) -> None:
        assert refused("no.xsb") == "no.xsb: found no such file, expected a file, a folder or -"
        assert refused("no.xsb#2") == "no.xsb: found no such file, expected a file, a folder or -"
        assert refused("") == ": found no such file, expected a file, a folder or -"
        assert load(["no.xsb#2"])[0].id == "no.xsb#2"

    def test_an_invalid_file_name_is_an_error(self) -> None:
        assert "cannot be read" in refused("a\0b.xsb")

    def test_a_file_used_as_a_folder_is_an_error(self) -> None:
        Path("a.xsb").write_text(ROOM, encoding="utf-8")
        assert refused("a.xsb/b.xsb") == "a.xsb/b.xsb: cannot be read: Not a directory"

    def test_a_file_without_permission_is_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("a.xsb").write_text(ROOM, encoding="utf-8")
        deny(monkeypatch, os if FIFOS else builtins, "open", "a.xsb")
        assert refused("a.xsb") == "a.xsb: cannot be read: Permission denied"

    def test_an_empty_file_is_an_error(self) -> None:
        Path("a.xsb").write_text("", encoding="utf-8")
        assert refused("a.xsb").startswith("a.xsb: found an empty text, expected")

    def test_a_file_that_is_too_large_is_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(source, "MAX_BYTES", 50)
        Path("a.xsb").write_text(ROOM + "\n" * 50, encoding="utf-8")
        assert refused("a.xsb") == "a.xsb: found more than 50 bytes, expected a file of levels"

    @pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs a device without an end")
    def test_an_endless_file_is_an_error(self) -> None:
        assert "found more than" in refused("/dev/zero")


class TestNumber:
    def test_a_number_selects_a_level(self) -> None:
        Path("a.xsb").write_text(THREE, encoding="utf-8")
        assert [(entry.id, entry.title) for entry in load(["a.xsb#3", "a.xsb#1"])] == [
            ("a.xsb#3", "three"),
            ("a.xsb#1", "one"),
        ]

    def test_ids_can_be_arguments(self) -> None:
        Path("a#2").write_text(THREE, encoding="utf-8")
        Path("b.xsb").write_text(THREE, encoding="utf-8")
        entries = load(["a#2", "b.xsb"])
        assert ids(load(ids(entries))) == ids(entries)

    def test_a_file_name_may_contain_the_sign(self) -> None:
        Path("a.xsb").write_text(THREE, encoding="utf-8")
        Path("a.xsb#2").write_text(f"{ROOM}\nTitle: Other", encoding="utf-8")
        assert [(entry.id, entry.title) for entry in load(["a.xsb#2"])] == [("a.xsb#2#1", "Other")]

    @pytest.mark.parametrize("number", [0, 4, 999])
    def test_a_number_out_of_range_is_an_error(self, number: int) -> None:
        Path("a.xsb").write_text(THREE, encoding="utf-8")
        expected = f"a.xsb: has 3 levels, expected a number from 1 to 3, found #{number}"
        assert refused(f"a.xsb#{number}") == expected
        assert load([f"a.xsb#{number}"])[0].id == f"a.xsb#{number}"

    def test_a_number_out_of_range_of_one_level_is_an_error(self) -> None:
        Path("a.xsb").write_text(ROOM, encoding="utf-8")
        assert refused("a.xsb#2") == "a.xsb: has 1 level, expected a number from 1 to 1, found #2"

    def test_a_number_in_an_invalid_file_gives_the_error_of_the_file(self) -> None:
        Path("a.xsb").write_bytes(b"\0\1\2")
        assert refused("a.xsb#7").startswith("a.xsb:1:1: found the control character")

    @pytest.mark.parametrize("name", ["#1", "#", "a#" + "9" * 5000, "a" + "#" * 5000])
    def test_a_number_without_a_file_is_an_error(self, name: str) -> None:
        assert "found no such file" in refused(name) or "cannot be read" in refused(name)

    def test_each_file_is_read_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("a.xsb").write_text(THREE, encoding="utf-8")
        read = []
        real = sokoban.cut
        monkeypatch.setattr(sokoban, "cut", lambda text, name: read.append(name) or real(text, name))
        assert len(load(["a.xsb#1", "a.xsb#2", "a.xsb"])) == 5
        assert read == ["a.xsb"]


class TestSelection:
    FIVE = "\n\n".join(f"; {title}\n{ROOM}" for title in ("Duh!", "3", "2-4", "A #1 room", "= 5")) + "\n"

    @pytest.mark.parametrize(
        ("which", "places"),
        [
            ("2-4", [2, 3, 4]),
            ("5-5", [5]),
            ("3,5,1", [3, 5, 1]),
            ("4,1-2,4", [4, 1, 2, 4]),
            ("03", [3]),
            ("Duh!", [1]),
            ("=Duh!", [1]),
            ("=3", [2]),
            ("=2-4", [3]),
            ("A #1 room", [4]),
            ("== 5", [5]),
        ],
    )
    def test_numbers_ranges_and_titles_select_levels(self, which: str, places: list[int]) -> None:
        Path("a.xsb").write_text(self.FIVE, encoding="utf-8")
        assert ids(load([f"a.xsb#{which}"])) == [f"a.xsb#{place}" for place in places]

    @pytest.mark.parametrize(
        ("which", "message"),
        [
            ("4-6", "has 5 levels, expected numbers from 1 to 5, found #4-6"),
            ("0-2", "has 5 levels, expected numbers from 1 to 5, found #0-2"),
            ("3-2", "found #3-2, expected the smaller number of 3-2 first"),
            ("1,3-2", "found #1,3-2, expected the smaller number of 3-2 first"),
            ("1,9", "has 5 levels, expected numbers from 1 to 5, found #1,9"),
            ("1-999999999", "has 5 levels, expected numbers from 1 to 5, found #1-999999999"),
            ("", "found nothing after #, expected a number, numbers such as 3-7 or 3,5, or a title"),
            ("=", "found nothing after #, expected a number, numbers such as 3-7 or 3,5, or a title"),
            ("duh", "found no level with the title 'duh' among 5 levels; similar titles: #1 'Duh!'"),
            ("room", "found no level with the title 'room' among 5 levels; similar titles: #4 'A #1 room'"),
            ("x", "found no level with the title 'x' among 5 levels"),
            ("-1", "found no level with the title '-1' among 5 levels"),
        ],
    )
    def test_unknown_numbers_and_titles_are_errors(self, which: str, message: str) -> None:
        Path("a.xsb").write_text(self.FIVE, encoding="utf-8")
        assert refused(f"a.xsb#{which}") == f"a.xsb: {message}"

    def test_the_error_on_a_number_suggests_a_title_like_it(self) -> None:
        Path("a.xsb").write_text(f"; 1001\n{ROOM}\n", encoding="utf-8")
        message = "has 1 level, expected a number from 1 to 1, found #1001; #=1001 is the level of that title"
        assert refused("a.xsb#1001") == f"a.xsb: {message}"

    def test_an_ambiguous_title_is_an_error(self) -> None:
        Path("a.xsb").write_text(f"; Same\n{ROOM}\n\n" * 7, encoding="utf-8")
        message = "found 7 levels with the title 'Same', expected one of #1, #2, #3, #4, #5 …"
        assert refused("a.xsb#Same") == f"a.xsb: {message}"

    def test_a_title_in_a_file_without_titles_is_an_error(self) -> None:
        Path("a.xsb").write_text(ROOM, encoding="utf-8")
        message = "found no level with the title 'x' among 1 level, none of which has a title"
        assert refused("a.xsb#x") == f"a.xsb: {message}"

    def test_a_title_may_select_a_broken_level(self) -> None:
        Path("a.xsb").write_text(THREE, encoding="utf-8")
        (two,) = load(["a.xsb#two"])
        assert (two.id, two.error is None) == ("a.xsb#2", False)

    def test_names_may_contain_the_sign(self) -> None:
        Path("a#1").mkdir()
        Path("a#1/b#2.xsb").write_text(self.FIVE, encoding="utf-8")
        Path("a#1/b#2.xsb#3").write_text(f"; Other\n{ROOM}\n", encoding="utf-8")
        assert ids(load(["a#1/b#2.xsb#A #1 room"])) == ["a#1/b#2.xsb#4"]
        assert ids(load(["a#1/b#2.xsb#3"])) == ["a#1/b#2.xsb#3#1"]
        assert ids(load(["a#1/b#2.xsb#3#Other"])) == ["a#1/b#2.xsb#3#1"]
        assert ids(load(["a#1/b#2.xsb#3-3"])) == ["a#1/b#2.xsb#3"]

    def test_levels_of_standard_input_can_be_selected(self, stdin: Callable[[bytes], None]) -> None:
        stdin(self.FIVE.encode())
        assert ids(load(["-#Duh!", "-#2-3"])) == ["-#1", "-#2", "-#3"]

    def test_the_number_of_selected_levels_is_limited(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(source, "MAX_LEVELS", 3)
        Path("a.xsb").write_text(self.FIVE, encoding="utf-8")
        *good, last = load(["a.xsb#1-2,1-2"])
        assert [entry.error for entry in good] == [None] * 3
        assert str(last.error) == "a.xsb#1-2,1-2: found more than 100000 levels, expected at most that at a time"


class TestFolder:
    def test_files_come_by_name_before_folders(self) -> None:
        for name in ("z.xsb", "b/y.sok", "b/c/x.XSB", "a/w.xsb"):
            Path("levels", name).parent.mkdir(parents=True, exist_ok=True)
            Path("levels", name).write_text(ROOM, encoding="utf-8")
        assert ids(load(["levels"])) == [
            "levels/z.xsb#1",
            "levels/a/w.xsb#1",
            "levels/b/y.sok#1",
            "levels/b/c/x.XSB#1",
        ]
        assert ids(load(["levels/b/"])) == ["levels/b/y.sok#1", "levels/b/c/x.XSB#1"]

    def test_other_files_are_skipped(self) -> None:
        Path(".git").mkdir()
        for name in ("a.xsb", ".hidden.xsb", ".git/b.xsb", "readme.md", "xsb"):
            Path(name).write_text(ROOM, encoding="utf-8")
        assert ids(load(["."])) == ["./a.xsb#1"]

    def test_plain_text_is_recognized_by_its_content(self) -> None:
        Path("a.txt").write_text(ROOM, encoding="utf-8")
        Path("b.txt").write_text("1 0 -1\n", encoding="utf-8")
        Path("c.txt").write_text("Levels with 1 player.\n", encoding="utf-8")
        Path("d.txt").symlink_to("nowhere")
        assert [(entry.id, entry.puzzle_name) for entry in load(["."])] == [
            ("./a.txt#1", "sokoban"),
            ("./b.txt#1", "folding"),
        ]
        assert ids(load(["."], puzzle="sokoban")) == ["./a.txt#1"]

    def test_file_names_in_a_folder_are_not_split_at_the_sign(self) -> None:
        Path("levels#1").mkdir()
        Path("levels#1/a#1.xsb").write_text(ROOM, encoding="utf-8")
        assert ids(load(["levels#1"])) == ["levels#1/a#1.xsb#1"]

    def test_a_bad_file_hides_no_other(self) -> None:
        Path("levels").mkdir()
        Path("levels/a.xsb").write_text("", encoding="utf-8")
        Path("levels/b.xsb").symlink_to("nowhere")
        Path("levels/c.xsb").write_text(ROOM, encoding="utf-8")
        entries = load(["levels"])
        assert ids(entries) == ["levels/a.xsb#1", "levels/b.xsb", "levels/c.xsb#1"]
        assert [entry.error is None for entry in entries] == [False, False, True]

    def test_a_folder_without_levels_is_an_error(self) -> None:
        Path("empty").mkdir()
        suffixes = " ".join(suffix for each in puzzles().values() for suffix in each.screen.SUFFIXES)
        assert refused("empty") == f"empty: found no level file in this folder, expected {suffixes}"

    def test_a_folder_with_a_number_is_an_error(self) -> None:
        Path("levels").mkdir()
        assert refused("levels#2") == "levels: found a folder, expected a file before #2"

    def test_a_folder_without_permission_is_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("levels/closed").mkdir(parents=True)
        Path("levels/a.xsb").write_text(ROOM, encoding="utf-8")
        deny(monkeypatch, os, "scandir", "levels/closed")
        good, closed = load(["levels"])
        assert good.id == "levels/a.xsb#1"
        assert closed.id == "levels/closed"
        assert str(closed.error) == "levels/closed: cannot be read: Permission denied"
        assert refused("levels/closed") == "levels/closed: cannot be read: Permission denied"


class TestStandardInput:
    def test_standard_input_gives_its_levels(self, stdin: Callable[[bytes], None]) -> None:
        stdin(THREE.encode())
        entries = load(["-"])
        assert ids(entries) == ["-#1", "-#2", "-#3"]
        assert str(entries[1].error).startswith("-:8:3: found 'q'")

    def test_standard_input_may_be_named_twice(self, stdin: Callable[[bytes], None]) -> None:
        stdin(THREE.encode())
        assert [(entry.id, entry.title) for entry in load(["-#3", "-#1"])] == [
            ("-#3", "three"),
            ("-#1", "one"),
        ]

    def test_standard_input_without_levels_is_an_error(self, stdin: Callable[[bytes], None]) -> None:
        stdin(b"hello")
        assert refused("-").startswith("-: found a file of no known puzzle, by its suffix and content")

    def test_empty_input_for_a_named_puzzle_is_an_error(self, stdin: Callable[[bytes], None]) -> None:
        stdin(b"")
        assert refused("-", puzzle="sokoban").startswith("-: found an empty text")

    def test_closed_standard_input_is_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", None)
        assert refused("-") == "-: cannot be read: standard input is closed"


class TestPuzzle:
    def test_every_puzzle_has_its_module(self) -> None:
        for name, each in puzzles().items():
            screen = each.screen
            assert each.name == name
            assert screen.SUFFIXES
            assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in screen.SUFFIXES)
            assert not screen.looks_like("")
            assert puzzles().looks_like(name, ROOM) == screen.looks_like(ROOM) == (name == "sokoban")
            assert puzzles().suffixes(name) == screen.SUFFIXES

    def test_a_puzzle_is_recognized_by_content(self) -> None:
        Path("a.txt").write_text(ROOM, encoding="utf-8")
        (entry,) = load(["a.txt"])
        assert (entry.puzzle_name, entry.error) == ("sokoban", None)

    def test_an_unrecognized_text_is_an_error(self) -> None:
        Path("a.txt").write_text("hello", encoding="utf-8")
        expected = f"expected one of: {', '.join(puzzles())}; or --puzzle NAME"
        assert refused("a.txt") == f"a.txt: found a file of no known puzzle, by its suffix and content, {expected}"
        assert load(["a.txt"])[0].puzzle_name is None

    def test_levels_beside_their_puzzle_are_not_taken_for_those_of_another_one(self) -> None:
        Path("a.glide").write_text(ROOM, encoding="utf-8")
        assert load(["a.glide"])[0].puzzle_name == "sokoban"
        Path("glide.py").write_text("", encoding="utf-8")
        found = refused("a.glide")
        assert found == "a.glide: found the suffix .glide, which no known puzzle has, expected --puzzle glide.py"

    def test_an_option_overrides_the_puzzle(self) -> None:
        Path("a.txt").write_text("#####\n#   #\n#####", encoding="utf-8")
        assert "found a file of no known puzzle, by its suffix and content" in refused("a.txt")
        (entry,) = load(["a.txt"], "sokoban")
        assert str(entry.error).startswith("a.txt:1: found no player, expected one @ or + (level #1)\n")

    def test_an_unknown_puzzle_is_an_error(self) -> None:
        Path("a.xsb").write_text(ROOM, encoding="utf-8")
        entries = load(["a.xsb", "."], puzzle="chess")
        assert ids(entries) == ["a.xsb", "."]
        assert str(entries[0].error) == (
            f"a.xsb: found no puzzle called 'chess', expected one of: {', '.join(puzzles())}; or a file, NAME.py"
        )
        assert [entry.puzzle_name for entry in entries] == [None, None]

    def test_content_decides_between_puzzles_with_one_suffix(self) -> None:
        """If the content does not decide, that is an error."""

        def recognized(text: str) -> list[str]:
            stubs = {"sokoban": Stub("@"), "walls": Stub("#"), "any": Stub("", suffix=".txt")}
            known = Puzzles({name: SimpleNamespace(name=name, screen=stub) for name, stub in stubs.items()}, {})
            return [source._recognized(known, "a.xsb", text).name]

        assert recognized("@") == ["sokoban"]
        assert recognized("#") == ["walls"]
        with pytest.raises(
            LevelError, match="may be of sokoban or walls, expected --puzzle sokoban or --puzzle walls"
        ):
            recognized("#@#")


class Stub:
    """A puzzle whose texts contain a certain word."""

    def __init__(self, word: str, suffix: str = ".xsb") -> None:
        self.word = word
        self.SUFFIXES = (suffix,)

    def looks_like(self, text: str) -> bool:
        return self.word in text

    def parse(self, text: str, source: str) -> list[Any]:
        return []


class TestText:
    @pytest.mark.parametrize(
        ("data", "title"),
        [
            ("Größe".encode(), "Größe"),
            ("Größe".encode("latin-1"), "Größe"),
            (b"\xef\xbb\xbf" + "Größe".encode(), "Größe"),
            (b"\xef\xbb\xbf" + "Größe".encode("latin-1"), "Größe"),
        ],
        ids=["UTF-8", "Latin-1", "byte order mark", "byte order mark and Latin-1"],
    )
    def test_utf_8_and_latin_1_are_read(self, data: bytes, title: str) -> None:
        Path("a.xsb").write_bytes(data.replace(b"Gr", b"; Gr") + b"\r\n" + ROOM.encode())
        (entry,) = load(["a.xsb"])
        assert entry.title == title

    @pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
    def test_utf_16_and_utf_32_are_read(self, codec: str) -> None:
        Path("a.xsb").write_bytes(f"; Größe\r\n{ROOM}\r\n".encode(codec))
        Path("b.txt").write_bytes(f"; Größe 😀\r\n{ROOM}\r\n".encode(codec))
        assert [(entry.id, entry.title, entry.error) for entry in load(["a.xsb", "."])] == [
            ("a.xsb#1", "Größe", None),
            ("./a.xsb#1", "Größe", None),
            ("./b.txt#1", "Größe 😀", None),
        ]

    def test_truncated_utf_16_is_an_error(self) -> None:
        Path("a.xsb").write_bytes(ROOM.encode("utf-16")[:-1])
        assert refused("a.xsb") == "a.xsb: found bytes that are no UTF-16 behind byte 40, expected text"


def deny(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, path: str) -> None:
    """Make a function refuse one path. File permissions have no effect on root, who may run the tests."""
    real = getattr(module, name)

    def refuse(file: Any, *arguments: Any, **options: Any) -> Any:
        if os.fspath(file) == path:
            raise PermissionError(13, "Permission denied", path)
        return real(file, *arguments, **options)

    monkeypatch.setattr(module, name, refuse)


BOXOBAN = "\n\n".join(f"; {n}\n##########\n#   ######\n# $ . @###\n#  #######\n##########" for n in (17, 4)) + "\n"
FOLDS = "# boards\n#####\nTitle: One\n 1  0 -1\n 0  0  2\n"
TILES = "N = 1;\n% a tile\npuzzle = array2d(1..N*N, 1..4, [\n  3,0,1,2]);\n"
PLAIN = "% tiles\nTitle: One\nTetravex 1\n3 0 1 2\n"
PROSE = "The wall of a board is #.\n\n" * 30

# Texts whose suffix does not determine the puzzle, and the puzzle that their content determines.
RECOGNIZED = {
    "Boxoban": (BOXOBAN, "sokoban"),
    "numbers above boards": (BOXOBAN.replace("; ", ""), "sokoban"),
    "run-length coding": ("4#|#@*#|4#", "sokoban"),
    "boards of few cells and notes": (f"by Ann\n\nOne\n{ROOM}\nrRR\nComment: it is\nhard\n", "sokoban"),
    "carriage returns": (BOXOBAN.replace("\n", "\r"), "sokoban"),
    "folds": (FOLDS, "folding"),
    "many folds": ((FOLDS + "\n") * 5000, "folding"),
    "data": (TILES, "tetravex"),
    "tiles": (PLAIN, "tetravex"),
}

# Texts that may belong to a puzzle, or to none.
IN_DOUBT = {
    "a board in prose": (PROSE + ROOM, "found content that may be of sokoban, expected --puzzle sokoban"),
    "tiles in prose": (PROSE + PLAIN, "found content that may be of tetravex, expected --puzzle tetravex"),
    "tiles and boards": (
        f"{PLAIN}\n{ROOM}",
        "found content that may be of sokoban or tetravex, expected --puzzle sokoban or --puzzle tetravex",
    ),
    "a table": ("1\t2\t3\n4\t5\t10\n", "found content that may be of folding, expected --puzzle folding"),
    "prose": (PROSE, "found a file of no known puzzle, by its suffix and content"),
    "a heading": ("Tetravex is a game.\n\n1 2\n", "found a file of no known puzzle, by its suffix and content"),
    "columns": ("level\tcost\n1\t0\n", "found a file of no known puzzle, by its suffix and content"),
    "JSON": ('{"level": ["#@$.#", "0 1"]}', "found a file of no known puzzle, by its suffix and content"),
}


class TestContent:
    @pytest.mark.parametrize(("text", "puzzle"), RECOGNIZED.values(), ids=RECOGNIZED)
    @pytest.mark.parametrize("name", ["a.txt", "a", "-"])
    def test_content_determines_the_puzzle(
        self, name: str, text: str, puzzle: str, stdin: Callable[[bytes], None]
    ) -> None:
        if name == "-":
            stdin(text.encode())
        else:
            Path(name).write_text(text, encoding="utf-8", newline="")
        entries = load(name)
        assert {entry.puzzle_name for entry in entries} == {puzzle}
        assert all(entry.error is None for entry in entries[:100])

    @pytest.mark.parametrize(("text", "message"), IN_DOUBT.values(), ids=IN_DOUBT)
    def test_doubtful_content_is_an_error(self, text: str, message: str) -> None:
        Path("a.txt").write_text(text, encoding="utf-8")
        assert refused("a.txt").startswith(f"a.txt: {message}")

    def test_doubtful_files_in_a_folder_are_errors_or_skipped(self) -> None:
        for number, (text, _) in enumerate([*RECOGNIZED.values(), *IN_DOUBT.values()]):
            Path(f"{number:02}.txt").write_text(text, encoding="utf-8", newline="")
        wanted = [
            *(puzzle for _, puzzle in RECOGNIZED.values()),
            None,
        ]  # a file that fits two puzzles is an error
        found = {entry.id.split("#")[0]: entry.puzzle_name for entry in load(".")}
        assert list(found.values()) == wanted

    def test_a_level_with_a_typing_error_is_not_skipped_in_a_folder(self) -> None:
        Path("typo.txt").write_text("#####\n#@&$.#\n#####\n", encoding="utf-8")
        Path("box.txt").write_text("##########\n# me @home #\n##########\n", encoding="utf-8")
        Path("good.sok").write_text(ROOM, encoding="utf-8")
        good, bad = load(".")
        assert (good.id, good.error) == ("./good.sok#1", None)
        assert str(bad.error).startswith("./typo.txt:2:3: found '&', expected one of # @ + $ * . space - _")

    @pytest.mark.corpus
    def test_content_determines_the_puzzle_of_each_corpus_file(self, corpus: Path) -> None:
        """Read every file under its own name and as .txt: the levels are the same, and other files have none."""
        kinds = {".xsb": "sokoban", ".dzn": "tetravex"}
        own = Path(source.__file__).parents[1] / "levels"
        for path in sorted([*corpus.rglob("*.*"), *own.rglob("*.*"), own.parents[1] / "README.md"]):
            expected = kinds.get(path.suffix)
            if (path.parent.name == "folding" and path.suffix == ".txt") or path.suffix == ".fold":
                expected = "folding"
            if path.parent.name == "puzzlescript" and path.suffix == ".txt":
                expected = "puzzlescript"
            if path.suffix in (".tetravex", ".factorio", ".fabrik", ".puzzlescript"):
                expected = path.suffix[1:]
            if path.name == "example_instance.json":
                expected = "factorio"
            if path.suffix == ".pddl":  # its domain is beside it, in another file
                continue
            Path("a.txt").write_bytes(path.read_bytes())
            for name in (str(path), "a.txt"):
                entries = load(name)
                assert {entry.puzzle_name for entry in entries} == {expected}, (path, entries[0].error)
                if expected:
                    assert all(entry.error is None for entry in entries), path
                else:
                    assert "expected" in str(entries[0].error)
            Path("a.txt").unlink()


class TestPaths:
    def test_paths_may_be_given_in_any_form(self) -> None:
        Path("a.xsb").write_text(THREE, encoding="utf-8")
        for path in ("a.xsb", Path("a.xsb"), [Path("a.xsb")], ("a.xsb",), iter(["a.xsb"])):
            assert ids(load(path)) == ["a.xsb#1", "a.xsb#2", "a.xsb#3"]

    def test_files_are_read_lazily(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name in ("a.xsb", "b.xsb", "c/d.xsb"):
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_text(ROOM, encoding="utf-8")
        opened = []
        real = source._bytes
        monkeypatch.setattr(source, "_bytes", lambda path, most: opened.append(path) or real(path, most))
        entries = walk(["a.xsb", ".", "no.xsb"])
        assert opened == []
        assert [next(entries).id, next(entries).id] == ["a.xsb#1", "./a.xsb#1"]
        assert opened == ["a.xsb", "./a.xsb"]
        assert [entry.id for entry in entries] == ["./b.xsb#1", "./c/d.xsb#1", "no.xsb"]

    @fifos
    def test_special_files_in_a_folder_are_skipped(self) -> None:
        Path("a.xsb").write_text(ROOM, encoding="utf-8")
        os.mkfifo("b.xsb")
        os.mkfifo("c.txt")
        Path("d.xsb").symlink_to("/dev/zero")
        Path("e").symlink_to(".")
        Path("f.xsb").mkdir()
        Path("g.xsb").symlink_to("g.xsb")
        assert ids(load(".")) == ["./a.xsb#1", "./g.xsb"]

    def test_the_depth_of_folders_is_limited(self) -> None:
        place = "/".join("d" * 1200)
        for end in range(1, len(place) + 1, 2):
            os.mkdir(place[:end])
        Path(place, "a.xsb").write_text(ROOM, encoding="utf-8")
        try:
            assert ids(load(".")) == [f"./{place}/a.xsb#1"]
        finally:  # the removal of temporary folders is recursive
            Path(place, "a.xsb").unlink()
            os.removedirs(place)

    def test_the_number_of_names_is_limited(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(source, "MAX_NAMES", 3)
        Path("a").mkdir()
        for name in ("good.xsb", "a/a.xsb", "a/b.xsb", "a/c.xsb"):
            Path(name).write_text(ROOM, encoding="utf-8")
        first, second, error, good = load([".", "good.xsb"])
        assert first.error is second.error is None
        assert str(error.error) == ".: found more than 3 files and folders, expected a folder of levels"
        assert good.id == "good.xsb#1"

    def test_the_size_of_text_is_limited(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(source, "MAX_TEXT", 2 * len(ROOM))
        for name in "abc":
            Path(f"{name}.xsb").write_text(ROOM, encoding="utf-8")
        one, two, three = load(".")
        assert one.error is two.error is None
        assert str(three.error).startswith("./c.xsb: found more than 40 bytes in all files")

    @pytest.mark.parametrize(
        ("name", "text"),
        [("a.xsb", ROOM + "\n\n"), ("a.fold", "1 0\n\n"), ("a.tetravex", "Tetravex 1\n1 2 3 4\n")],
    )
    def test_the_number_of_levels_is_limited(self, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
        for module in (part, source, sokoban.reader):
            monkeypatch.setattr(module, "MAX_LEVELS", 3)
        Path(name).write_text(4 * text, encoding="utf-8")
        Path(f"b{name}").write_text(2 * text, encoding="utf-8")
        *good, error = load(name)
        assert [entry.error for entry in good] == [None] * 3
        assert str(error.error) == f"{name}: found more than 3 levels, expected at most that at a time"
        assert len(load([f"b{name}"] * 2)) == 4


class TestEntry:
    def test_an_entry_is_pickled_as_text(self) -> None:
        Path("a.xsb").write_text(
            "Title: Big\n" + "|".join(["900#", "#@$.895-#", *["#898-#"] * 200, "900#"]), encoding="utf-8"
        )
        (entry,) = load("a.xsb")
        assert entry.level is not None
        data = pickle.dumps(entry)
        assert len(data) < 2500
        again = pickle.loads(data)
        assert (again.id, again.title, again.puzzle_name) == ("a.xsb#1", "Big", "sokoban")
        assert again.level == entry.level

    def test_a_level_is_built_on_first_use(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A limit that the build exceeds is an outcome of the level, not an error of the file."""
        built = []
        real = sokoban.build

        def build(found: part.Part) -> sokoban.Level:
            built.append(found.line)
            if found.line == 1:
                raise MemoryError
            return real(found)

        monkeypatch.setattr(sokoban, "build", build)
        Path("a.xsb").write_text(f"{ROOM}\n\n{ROOM}\n", encoding="utf-8")
        one, two = load("a.xsb")
        assert built == []
        result = solve_entry(one, Options())
        assert (result.verdict, result.reason, result.costs) == (
            "unknown",
            "memory",
            {"pushes": None, "moves": None},
        )
        assert solve_entry(two, Options()).verdict == "solvable"
        assert built == [1, 5]

    def test_an_entry_survives_pickling(self) -> None:
        level = sokoban.parse(ROOM, "x")[0]
        for entry in (Entry("a", "", puzzle("sokoban"), level, None), *load("no.xsb")):
            again = pickle.loads(pickle.dumps(entry))
            assert (again.level, str(again.error)) == (entry.level, str(entry.error))


@pytest.mark.corpus
def test_the_corpus_folder_is_read(corpus: Path) -> None:
    entries = load([str(corpus / "sokoban")])
    assert len(entries) == 705
    assert all(entry.error is None for entry in entries)
    assert entries[0].id == f"{corpus}/sokoban/boxoban_hard_100.xsb#1"
