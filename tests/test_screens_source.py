"""Levels by name: files, folders, `FILE#N` and standard input, and every way to get them wrong."""

import builtins
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from puzzlemc.screens import sokoban, source
from puzzlemc.screens.errors import LevelError
from puzzlemc.screens.source import PUZZLES, Entry, load

ROOM = "######\n#@$ .#\n######"
BAD = "#####\n#@q.#\n#####"
THREE = f"; one\n{ROOM}\n\n; two\n{BAD}\n\n; three\n{ROOM}\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, so that the ids are short."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], None]:
    def put(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return put


def ids(entries: list[Entry]) -> list[str]:
    return [entry.id for entry in entries]


def refused(*arguments: str, puzzle: str | None = None) -> str:
    """Load what should be one error beside a good level, and return its line."""
    Path("good.xsb").write_text(ROOM)
    bad, good = load([*arguments, "good.xsb"], puzzle)
    assert bad.level is None
    assert bad.error is not None
    assert good.id == "good.xsb#1"
    line = str(bad.error)
    assert len(line.splitlines()) == 1
    return line


class TestFile:
    def test_all_its_levels(self) -> None:
        Path("a.xsb").write_text(THREE)
        one, two, three = load(["a.xsb"])
        assert one == Entry("a.xsb#1", "one", "sokoban", sokoban.parse(THREE, "a.xsb")[0], None)
        assert (two.id, two.title, two.puzzle, two.level) == ("a.xsb#2", "", "sokoban", None)
        assert str(two.error) == "a.xsb:8:3: found 'q', expected one of # @ + $ * . space - _"
        assert (three.id, three.title, three.error) == ("a.xsb#3", "three", None)

    def test_path_stays_as_given(self) -> None:
        Path("sub").mkdir()
        Path("sub/a.xsb").write_text(ROOM)
        assert ids(load(["sub/../sub//a.xsb"])) == ["sub/../sub//a.xsb#1"]

    def test_order_of_the_arguments(self) -> None:
        Path("a.xsb").write_text(ROOM)
        Path("b.xsb").write_text(ROOM)
        assert ids(load(["b.xsb", "a.xsb", "b.xsb"])) == ["b.xsb#1", "a.xsb#1", "b.xsb#1"]

    def test_none(self) -> None:
        assert load([]) == []

    def test_suffix_in_capitals(self) -> None:
        Path("A.XSB").write_text("no level")
        assert "found text but no row of a board" in str(load(["A.XSB"])[0].error)

    def test_missing(self) -> None:
        assert refused("no.xsb") == "no.xsb: found no such file, expected a file, a folder or -"
        assert refused("no.xsb#2") == "no.xsb: found no such file, expected a file, a folder or -"
        assert refused("") == ": found no such file, expected a file, a folder or -"
        assert load(["no.xsb#2"])[0].id == "no.xsb#2"

    def test_no_file_name_at_all(self) -> None:
        assert "cannot be read" in refused("a\0b.xsb")

    def test_file_used_as_a_folder(self) -> None:
        Path("a.xsb").write_text(ROOM)
        assert refused("a.xsb/b.xsb") == "a.xsb/b.xsb: cannot be read: Not a directory"

    def test_not_permitted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("a.xsb").write_text(ROOM)
        deny(monkeypatch, builtins, "open", "a.xsb")
        assert refused("a.xsb") == "a.xsb: cannot be read: Permission denied"

    def test_empty(self) -> None:
        Path("a.xsb").write_text("")
        assert refused("a.xsb").startswith("a.xsb: found an empty text, expected")

    def test_too_large(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(source, "MAX_BYTES", 50)
        Path("a.xsb").write_text(ROOM + "\n" * 50)
        assert refused("a.xsb") == "a.xsb: found more than 50 bytes, expected a file of levels"

    @pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs a device without an end")
    def test_without_an_end(self) -> None:
        assert "found more than" in refused("/dev/zero")


class TestNumber:
    def test_picks_a_level(self) -> None:
        Path("a.xsb").write_text(THREE)
        assert [(entry.id, entry.title) for entry in load(["a.xsb#3", "a.xsb#1"])] == [
            ("a.xsb#3", "three"),
            ("a.xsb#1", "one"),
        ]

    def test_ids_are_arguments(self) -> None:
        Path("a#2").write_text(THREE)
        Path("b.xsb").write_text(THREE)
        entries = load(["a#2", "b.xsb"])
        assert ids(load(ids(entries))) == ids(entries)

    def test_file_whose_name_holds_the_sign(self) -> None:
        Path("a.xsb").write_text(THREE)
        Path("a.xsb#2").write_text(f"{ROOM}\nTitle: Other")
        assert [(entry.id, entry.title) for entry in load(["a.xsb#2"])] == [("a.xsb#2#1", "Other")]

    @pytest.mark.parametrize("number", [0, 4, 999])
    def test_no_such_level(self, number: int) -> None:
        Path("a.xsb").write_text(THREE)
        expected = f"a.xsb: has 3 levels, expected a number from 1 to 3, found #{number}"
        assert refused(f"a.xsb#{number}") == expected
        assert load([f"a.xsb#{number}"])[0].id == f"a.xsb#{number}"

    def test_no_such_level_of_one(self) -> None:
        Path("a.xsb").write_text(ROOM)
        assert refused("a.xsb#2") == "a.xsb: has 1 level, expected a number from 1 to 1, found #2"

    def test_of_a_file_that_is_wrong_as_a_whole(self) -> None:
        Path("a.xsb").write_bytes(b"\0\1\2")
        assert refused("a.xsb#7").startswith("a.xsb:1:1: found the control character")

    @pytest.mark.parametrize("name", ["a.xsb#", "a.xsb#-1", "a.xsb#x", "a.xsb#1#1", "#1", "a#" + "9" * 5000])
    def test_no_number(self, name: str) -> None:
        Path("a.xsb").write_text(ROOM)
        assert "found no such file" in refused(name) or "cannot be read" in refused(name)

    def test_each_file_is_parsed_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("a.xsb").write_text(THREE)
        parsed = []
        real = sokoban.parse
        monkeypatch.setattr(sokoban, "parse", lambda text, name: parsed.append(name) or real(text, name))
        load(["a.xsb#1", "a.xsb#2", "a.xsb"])
        assert parsed == ["a.xsb"]


class TestFolder:
    def test_files_by_name_then_folders(self) -> None:
        for name in ("z.xsb", "b/y.sok", "b/c/x.XSB", "a/w.xsb"):
            Path("levels", name).parent.mkdir(parents=True, exist_ok=True)
            Path("levels", name).write_text(ROOM)
        assert ids(load(["levels"])) == [
            "levels/z.xsb#1",
            "levels/a/w.xsb#1",
            "levels/b/y.sok#1",
            "levels/b/c/x.XSB#1",
        ]
        assert ids(load(["levels/b/"])) == ["levels/b/y.sok#1", "levels/b/c/x.XSB#1"]

    def test_other_files_are_left_out(self) -> None:
        Path(".git").mkdir()
        for name in ("a.xsb", ".hidden.xsb", ".git/b.xsb", "readme.md", "xsb"):
            Path(name).write_text(ROOM)
        assert ids(load(["."])) == ["./a.xsb#1"]

    def test_plain_text_is_told_by_its_content(self) -> None:
        Path("a.txt").write_text(ROOM)
        Path("b.txt").write_text("1 0 -1\n")
        Path("c.txt").write_text("Levels with 1 player.\n")
        Path("d.txt").symlink_to("nowhere")
        assert [(entry.id, entry.puzzle) for entry in load(["."])] == [
            ("./a.txt#1", "sokoban"),
            ("./b.txt#1", "folding"),
        ]
        assert ids(load(["."], puzzle="sokoban")) == ["./a.txt#1"]

    def test_file_names_in_it_are_no_numbers(self) -> None:
        Path("levels#1").mkdir()
        Path("levels#1/a#1.xsb").write_text(ROOM)
        assert ids(load(["levels#1"])) == ["levels#1/a#1.xsb#1"]

    def test_bad_file_hides_no_other(self) -> None:
        Path("levels").mkdir()
        Path("levels/a.xsb").write_text("")
        Path("levels/b.xsb").symlink_to("nowhere")
        Path("levels/c.xsb").write_text(ROOM)
        entries = load(["levels"])
        assert ids(entries) == ["levels/a.xsb#1", "levels/b.xsb", "levels/c.xsb#1"]
        assert [entry.error is None for entry in entries] == [False, False, True]

    def test_without_levels(self) -> None:
        Path("empty").mkdir()
        suffixes = " ".join(suffix for screen in source._screens(None, "x").values() for suffix in screen.SUFFIXES)
        assert refused("empty") == f"empty: found no level file in this folder, expected {suffixes}"

    def test_with_a_number(self) -> None:
        Path("levels").mkdir()
        assert refused("levels#2") == "levels: found a folder, expected a file before #2"

    def test_not_permitted(self, monkeypatch: pytest.MonkeyPatch) -> None:
        Path("levels/closed").mkdir(parents=True)
        Path("levels/a.xsb").write_text(ROOM)
        deny(monkeypatch, os, "scandir", "levels/closed")
        good, closed = load(["levels"])
        assert good.id == "levels/a.xsb#1"
        assert closed.id == "levels/closed"
        assert str(closed.error) == "levels/closed: cannot be read: Permission denied"
        assert refused("levels/closed") == "levels/closed: cannot be read: Permission denied"


class TestStandardInput:
    def test_levels(self, stdin: Callable[[bytes], None]) -> None:
        stdin(THREE.encode())
        entries = load(["-"])
        assert ids(entries) == ["-#1", "-#2", "-#3"]
        assert str(entries[1].error).startswith("-:8:3: found 'q'")

    def test_named_twice(self, stdin: Callable[[bytes], None]) -> None:
        stdin(THREE.encode())
        assert [(entry.id, entry.title) for entry in load(["-#3", "-#1"])] == [
            ("-#3", "three"),
            ("-#1", "one"),
        ]

    def test_something_else(self, stdin: Callable[[bytes], None]) -> None:
        stdin(b"hello")
        assert refused("-").startswith("-: found suffix and content of no puzzle")

    def test_empty_for_a_named_puzzle(self, stdin: Callable[[bytes], None]) -> None:
        stdin(b"")
        assert refused("-", puzzle="sokoban").startswith("-: found an empty text")

    def test_closed(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", None)
        assert refused("-") == "-: cannot be read: standard input is closed"


class TestPuzzle:
    def test_every_puzzle_has_its_module(self) -> None:
        assert set(source._screens(None, "x")) == set(PUZZLES)
        for screen in source._screens(None, "x").values():
            assert screen.SUFFIXES
            assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in screen.SUFFIXES)
            assert not screen.looks_like("")

    def test_told_by_content(self) -> None:
        Path("a.txt").write_text(ROOM)
        (entry,) = load(["a.txt"])
        assert (entry.puzzle, entry.error) == ("sokoban", None)

    def test_not_told(self) -> None:
        Path("a.txt").write_text("hello")
        expected = f"a.txt: found suffix and content of no puzzle, expected those of one of: {', '.join(PUZZLES)}"
        assert refused("a.txt") == expected
        assert load(["a.txt"])[0].puzzle == ""

    def test_override(self) -> None:
        Path("a.txt").write_text("#####\n#   #\n#####")
        assert "found suffix and content of no puzzle" in refused("a.txt")
        assert refused("a.txt", puzzle="sokoban") == "a.txt:1: found no player, expected one @ or +"

    def test_unknown(self) -> None:
        Path("a.xsb").write_text(ROOM)
        entries = load(["a.xsb", "."], puzzle="chess")
        assert ids(entries) == ["a.xsb", "."]
        assert str(entries[0].error) == (
            f"a.xsb: found no puzzle called 'chess', expected one of: {', '.join(PUZZLES)}"
        )
        assert [entry.puzzle for entry in entries] == ["", ""]

    def test_suffix_of_two_puzzles(self) -> None:
        """The content decides among the puzzles that share a suffix, and must decide."""

        def told(text: str) -> list[str]:
            screens = {"sokoban": Stub("@"), "walls": Stub("#"), "any": Stub("", suffix=".txt")}
            return list(source._told(screens, "a.xsb", text))

        assert told("@") == ["sokoban"]
        assert told("#") == ["walls"]
        with pytest.raises(LevelError, match="found suffix and content of sokoban and walls, expected"):
            told("#@#")


class Stub:
    """A puzzle for all texts that hold a certain word."""

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
    def test_encodings(self, data: bytes, title: str) -> None:
        Path("a.xsb").write_bytes(data.replace(b"Gr", b"; Gr") + b"\r\n" + ROOM.encode())
        (entry,) = load(["a.xsb"])
        assert entry.title == title

    def test_utf_16_is_refused(self) -> None:
        Path("a.xsb").write_text(ROOM, encoding="utf-16")
        assert "found the control character" in refused("a.xsb")


def deny(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, path: str) -> None:
    """Make a function refuse one path: permissions themselves do not bind every user that runs tests."""
    real = getattr(module, name)

    def refuse(file: Any, *arguments: Any, **options: Any) -> Any:
        if os.fspath(file) == path:
            raise PermissionError(13, "Permission denied", path)
        return real(file, *arguments, **options)

    monkeypatch.setattr(module, name, refuse)


@pytest.mark.corpus
def test_corpus_folder(corpus: Path) -> None:
    entries = load([str(corpus / "sokoban")])
    assert len(entries) == 705
    assert all(entry.error is None for entry in entries)
    assert entries[0].id == f"{corpus}/sokoban/boxoban_hard_100.xsb#1"
