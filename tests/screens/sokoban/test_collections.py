"""Collections of Sokoban levels: XML, solutions and comments, and conversion between formats."""

import gzip
import re
import time
import zipfile
from pathlib import Path
from typing import Any

import pytest
from command import CORNERED, ONE_PUSH, as_json, in_bytes, puzzlemc, write
from hypothesis import given
from hypothesis import strategies as st

from puzzlemc.encodings.puzzle.text import nameless
from puzzlemc.encodings.puzzles import load, puzzle, puzzles
from puzzlemc.encodings.sokoban.files import FORMATS
from puzzlemc.reports.ask.convert import Target
from puzzlemc.screens import sokoban
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import About, Part, Solution
from puzzlemc.screens.sokoban import notes

ROOM = "######\n#@$ .#\n######"

SLC = """<?xml version="1.0" encoding="ISO-8859-1"?>
<SokobanLevels xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="SokobanLev.xsd">
  <Title>Rooms &amp; more</Title>
  <Description>
    Two lines
      of text.
  </Description>
  <Email>me@example.org</Email>
  <Url>https://example.org</Url>
  <LevelCollection Copyright="Ann" MaxWidth="6" MaxHeight="3">
    <Level Id="One" Width="6" Height="3">
      <L>######</L>
      <L>#@$ .#</L>
      <L>######</L>
    </Level>
    <Level Id=" T&lt;w&gt;o " Width="5" Height="4" Copyright="Bo">
      <L>#####</L>
      <L>#pb.#</L>
      <L>#___#</L>
      <L>#####</L>
      <Solution Title="short">R</Solution>
      <Comment>none</Comment>
    </Level>
  </LevelCollection>
</SokobanLevels>
"""


def parts(text: str, source: str = "a.slc") -> list[Part]:
    found = list(sokoban.cut(text, source))
    assert all(isinstance(each, Part) for each in found), found
    return [each for each in found if isinstance(each, Part)]


def error(text: str) -> str:
    (found,) = sokoban.cut(text, "a.slc")
    assert isinstance(found, LevelError)
    return str(found)


class TestXml:
    def test_all_fields_are_read(self) -> None:
        one, two = parts(SLC)
        about = About("Rooms & more", "Ann", "me@example.org", "https://example.org", "Two lines\n  of text.")
        assert one == Part("a.slc", 12, ROOM, "One", "Ann", 10, "", (), about)
        assert two.title == "T<w>o"
        assert (two.author, two.comment, two.solutions) == ("Bo", "none", (Solution("R", "short", 21),))
        assert two.text == "#####\n#pb.#\n#___#\n#####"
        assert sokoban.build(one) == sokoban.Level(
            **_fields(sokoban.parse(ROOM, "x")[0], title="One", author="Ann")
        )

    def test_errors_have_a_place(self) -> None:
        text = SLC.replace("<L>#@$ .#</L>", "<L>#@x .#</L>")
        with pytest.raises(LevelError, match=re.escape("a.slc:13:12: found 'x', expected one of")):
            sokoban.build(parts(text)[0])

    def test_a_row_may_be_empty(self) -> None:
        one, _ = parts(SLC.replace("<L>#@$ .#</L>", "<L/>", 1))
        assert one.text == "######\n-\n######"

    def test_xml_is_read_under_any_suffix(self, tmp_path: Path) -> None:
        for name in ("a.slc", "a.xml", "a.xsb"):
            (tmp_path / name).write_text(SLC)
            assert [each.title for each in load(tmp_path / name)] == ["One", "T<w>o"]

    @pytest.mark.parametrize("declared", ["ISO-8859-1", "windows-1251", "utf-8", "nonsense"])
    def test_declared_encodings_are_read(self, declared: str, tmp_path: Path) -> None:
        title = "Большая" if declared in ("windows-1251", "utf-8") else "Größe"
        codec = "latin-1" if declared == "nonsense" else declared
        text = SLC.replace("ISO-8859-1", declared).replace('Id="One"', f'Id="{title}"')
        (tmp_path / "a.slc").write_bytes(text.encode(codec))
        (tmp_path / "b.slc").write_bytes(text.replace(declared, "utf-16").encode("utf-16"))
        assert [each.title for each in load([tmp_path / "a.slc#1", tmp_path / "b.slc#1"])] == [title, title]

    def test_a_named_dtd_is_ignored(self) -> None:
        assert len(parts(SLC.replace("<Sok", '<!DOCTYPE SokobanLevels SYSTEM "/etc/hostname">\n<Sok', 1))) == 2

    @pytest.mark.parametrize(
        ("inside", "message"),
        [
            ('<!ENTITY a "b">', "2:38: found a DTD in the file, expected none: it may define anything"),
            ('<!ENTITY a SYSTEM "file:///etc/passwd">', "2:38: found a DTD in the file"),
            ("<!ELEMENT SokobanLevels ANY>", "2:38: found a DTD in the file"),
        ],
    )
    def test_entities_are_refused(self, inside: str, message: str) -> None:
        text = SLC.replace("<Sok", f"<!DOCTYPE SokobanLevels [{inside}]>\n<Sok", 1).replace("One", "&a;")
        assert re.sub(r":\d+:\d+:", ":", error(text)).startswith(f"a.slc: {message.split(': ', 1)[1]}")
        assert error(text).startswith("a.slc:2:")

    def test_a_bomb_of_entities_is_refused_quickly(self) -> None:
        inside = '<!ENTITY a0 "xxxxxxxxxx">' + "".join(
            f'<!ENTITY a{number} "{f"&a{number - 1};" * 10}">' for number in range(1, 10)
        )
        text = SLC.replace("<Sok", f"<!DOCTYPE SokobanLevels [{inside}]>\n<Sok", 1).replace(">Rooms", ">&a9;")
        start = time.thread_time()
        assert "found a DTD in the file" in error(text)
        assert time.thread_time() - start < 5

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (SLC.replace("One", "&b;"), "11:5: found broken XML: undefined entity"),
            ("<html><body>#</body></html>", "1:1: found the root <html>, expected <SokobanLevels>"),
            (SLC[:-30], "found broken XML: "),
            (SLC.replace("<Title>", "<Title"), "3:15: found broken XML: not well-formed"),
            ("<SokobanLevels/>", " found no level, expected <Level> with rows <L>"),
            ("<SokobanLevels>" + "<a>" * 200, "1:313: found more than 100 elements in each other"),
        ],
    )
    def test_other_xml_is_refused(self, text: str, message: str) -> None:
        assert message in error(text)

    def test_a_named_dtd_may_not_define_entities(self) -> None:
        text = SLC.replace("<Sok", '<!DOCTYPE SokobanLevels SYSTEM "x.dtd">\n<Sok', 1).replace(">Rooms", ">&b;")
        assert "found the entity 'b', expected none but those of XML itself" in error(text)

    def test_a_level_without_rows_hides_no_other(self) -> None:
        text = re.sub(r"<L>.*?</L>\s*", "", SLC, count=3)
        bad, good = sokoban.cut(text, "a.slc")
        assert str(bad) == "a.slc:11: found a level without a row, expected elements <L>"
        assert isinstance(good, Part)

    def test_large_files_are_read_in_linear_time(self) -> None:
        level = f'<Level Id="x"><L>{"</L><L>".join(ROOM.splitlines())}</L></Level>'
        text = f"<SokobanLevels><LevelCollection>{level * 20_000}</LevelCollection></SokobanLevels>"
        start = time.thread_time()
        assert len(parts(text)) == 20_000
        assert time.thread_time() - start < 10  # it takes half a second on an idle machine


def _fields(level: Any, **changed: str) -> dict[str, Any]:
    names = ("title", "author", "rows", "floor", "goals", "start")
    return {name: getattr(level, name) for name in names} | changed


class TestLetters:
    @pytest.mark.parametrize("row", ["#pb.oBP#"[:6] + "#", "#pbgBo#", "#-pbo_#"])
    def test_letters_stand_for_pieces(self, row: str) -> None:
        text = "\n".join(["#" * len(row), row, "#" * len(row)])
        usual = text.translate(str.maketrans("pbogB", "@$..*"))
        assert nameless(sokoban.parse(text, "x")[0]) == nameless(sokoban.parse(usual, "x")[0])

    def test_letters_of_a_player_on_a_goal_and_counts_are_read(self) -> None:
        (level,) = sokoban.parse("6#|#P2b-#|#3o-#|6#", "x")
        assert sokoban.draw(level) == "######\n#+$$ #\n#... #\n######"

    def test_letters_determine_the_puzzle(self, tmp_path: Path) -> None:
        (tmp_path / "a.txt").write_text("#####\n#pbo#\n#####\n")
        (entry,) = load(tmp_path)
        assert entry.error is None

    @pytest.mark.parametrize("title", ["Bob #1", "Big box: pop", "o", "- bob", "Boob# -"])
    def test_words_are_not_rows(self, title: str) -> None:
        found = parts(f"{ROOM}\n\n{title}\n\n{ROOM}\n", "a.xsb")
        assert [each.text for each in found] == [ROOM, ROOM]


NOTES = f"""Collection: All rooms
Author: Ann
Email: me@example.org
Homepage: https://example.org
:: for nobody

Levels for beginners.

1
{ROOM}
Title: One
Date: 1999
Comment:
a comment
  of two lines
Comment-End:

Solution
rR
R

Solution/Moves (by Bo)
2(R)

Snapshot
r

What follows is harder.

=====
{ROOM}
Title: Two
Comment: in a line
Solution: 2R

lurdLURD
rRU
"""


class TestNotes:
    def test_all_text_between_boards_is_kept(self) -> None:
        one, two = parts(NOTES, "a.sok")
        about = About("All rooms", "Ann", "me@example.org", "https://example.org", "Levels for beginners.")
        assert (one.about, two.about) == (about, about)
        assert (one.title, one.author, two.title, two.author) == ("One", "Ann", "Two", "Ann")
        assert one.solutions == (Solution("rR\nR", "", 21), Solution("2(R)", "Solution/Moves (by Bo)", 25))
        comment = ["1", "Date: 1999", "a comment", "  of two lines", "Snapshot", "r", "What follows is harder."]
        assert one.comment.split("\n") == comment
        assert two.solutions == (Solution("          2R", "", 38), Solution("lurdLURD\nrRU", "", 40))
        assert two.comment == "in a line"

    def test_a_bare_solution_below_each_board_is_read(self) -> None:
        found = parts(f"{ROOM}\nRR\n\n{ROOM}\nTitle: X\n\nRrR\n\n; Third\n{ROOM}\n", "a.xsb")
        assert [[each.text for each in part.solutions] for part in found] == [["RR"], ["RrR"], []]
        assert [part.title for part in found] == ["", "X", "Third"]

    def test_words_above_a_board_are_not_a_solution(self) -> None:
        found = parts(f"{ROOM}\n\nDull\n{ROOM}\n", "a.xsb")
        assert [part.solutions for part in found] == [(), ()]

    @pytest.mark.parametrize(
        "text", ["\n".join(["Solution", "lurd" * 10] * 50_000), "Comment:\n" * 500_000, "r\n\n" * 500_000]
    )
    def test_large_notes_are_read_in_linear_time(self, text: str) -> None:
        start = time.thread_time()
        assert len(parts(f"{ROOM}\n\n{text}\n\n{ROOM}", "a.sok")) == 2
        assert time.thread_time() - start < 30


# --- Round trips

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=12).map(
    lambda text: " ".join(text.split())
)
NAMES = st.text("ab 1.,!?()'é日", max_size=8).map(lambda text: " ".join(text.split()))
LINES = st.lists(st.one_of(WORDS, st.just("Comment:"), st.just(ROOM.splitlines()[1])), max_size=3)
COMMENTS = (
    LINES.map("\n".join)
    .filter(lambda text: not re.search("comment", text, re.IGNORECASE))
    .map(lambda text: "\n".join(line.rstrip() for line in text.split("\n")).strip("\n"))
)
SOLUTIONS = st.lists(
    st.builds(
        Solution, st.text("lurdLURD", min_size=1, max_size=100), st.sampled_from(["", "Solution 2", "by Ann"])
    ),
    max_size=3,
).map(tuple)


@st.composite
def boards(draw: Any) -> str:
    """Generate a closed room of random cells with a player and a goal."""
    width, height = draw(st.integers(2, 7)), draw(st.integers(1, 5))
    cells = [draw(st.sampled_from("#    $.*")) for _ in range(width * height)]
    one, other = draw(st.permutations(range(width * height)))[:2]
    cells[one], cells[other] = "@", "."
    rows = ["".join(cells[start : start + width]) for start in range(0, width * height, width)]
    indent = draw(st.sampled_from(["", "  "]))
    return "\n".join(indent + row for row in ["#" * (width + 2), *(f"#{row}#" for row in rows), "#" * (width + 2)])


@st.composite
def collections(draw: Any, names: Any = NAMES) -> tuple[About, list[tuple[sokoban.Level, Part]]]:
    about = About(*(draw(names) for _ in range(4)), comment=draw(COMMENTS))
    found = []
    for _ in range(draw(st.integers(1, 3))):
        text, title = draw(boards()), draw(names)
        author = draw(names) or about.author
        part = Part("", 1, text, title, author, 1, draw(COMMENTS), draw(SOLUTIONS), about)
        found.append((sokoban.build(part), part))
    return about, found


def bare(part: Part) -> tuple[object, ...]:
    """Return the content of a part, without its place in a file."""
    solutions = [("".join(each.text.split()), each.title) for each in part.solutions]
    return part.title, part.author, part.comment, solutions


@pytest.mark.parametrize("suffix", FORMATS)
@given(collections())
def test_written_collections_can_be_read_back(
    suffix: str, collection: tuple[About, list[tuple[sokoban.Level, Part]]]
) -> None:
    about, levels = collection
    text = FORMATS[suffix].write(about, levels)
    again = parts(text, f"a{suffix}")
    assert [sokoban.build(part) for part in again] == [level for level, _ in levels]
    assert [bare(part) for part in again] == [bare(part) for _, part in levels]
    assert again[0].about == about


@pytest.mark.parametrize("suffix", FORMATS)
@given(collections(WORDS))
def test_all_titles_survive_conversion(
    suffix: str, collection: tuple[About, list[tuple[sokoban.Level, Part]]]
) -> None:
    about, levels = collection
    text = FORMATS[suffix].write(about, levels)
    again = parts(text, f"a{suffix}")
    assert [nameless(sokoban.build(part)) for part in again] == [nameless(level) for level, _ in levels]
    if suffix == ".slc":
        assert [bare(part) for part in again] == [bare(part) for _, part in levels]


def test_a_title_that_cannot_be_a_heading_is_replaced() -> None:
    for title in ("Title: x", "; x", "rrr", "###", "Snapshot 1", ":: x", "-"):
        part = Part("", 1, ROOM, "", "", 1, "", (Solution("rR", title),))
        (again,) = parts(notes.write(About(), [(ROOM, part)]), "a.sok")
        assert [each.text for each in again.solutions] == ["rR"]
        assert again.solutions[0].title.startswith("Solution") or not again.solutions[0].title


# --- The command


class TestConvert:
    @pytest.fixture
    def here(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.chdir(tmp_path)
        Path("a.sok").write_text(NOTES, encoding="utf-8")
        return tmp_path

    @pytest.mark.parametrize(
        "way", [("slc",), ("slc.gz", "xsb"), ("slc.zip", "sok.zip"), ("sok", "slc", "xsb.gz")]
    )
    def test_conversion_is_reversible(self, way: tuple[str, ...], here: Path) -> None:
        before = "a.sok"
        for number, suffix in enumerate((*way, "sok")):
            done = puzzlemc("convert", before, f"{number}.{suffix}")
            assert (done.returncode, done.stderr) == (0, ""), done.stderr
            assert done.stdout == f"{number}.{suffix}: 2 levels\n"
            before = f"{number}.{suffix}"
        (one, two), (first, second) = load("a.sok"), load(before)
        for entry, again in ((one, first), (two, second)):
            assert entry.part is not None
            assert again.part is not None
            assert again.level == entry.level
            assert bare(again.part) == bare(entry.part)
            assert again.part.about == entry.part.about

    def test_packed_files_are_converted(self, here: Path) -> None:
        assert puzzlemc("convert", "a.sok", "b.slc.gz", "--quiet").stdout == ""
        assert puzzlemc("convert", "a.sok", "B.zip", "--to", "slc", "--quiet").stdout == ""
        plain = in_bytes("convert", "a.sok", "-", "--to", "slc").stdout
        assert gzip.decompress(Path("b.slc.gz").read_bytes()) == plain
        with zipfile.ZipFile("B.zip") as file:
            assert file.namelist() == ["B.slc"]
            assert file.read("B.slc") == plain
        first = Path("B.zip").read_bytes()
        assert puzzlemc("convert", "a.sok", "B.zip", "--to", "slc").returncode == 0
        assert Path("B.zip").read_bytes() == first

    def test_selected_levels_and_standard_input_are_converted(self, here: Path) -> None:
        done = puzzlemc("convert", "-#Two", "-", "--to", "xsb", text=NOTES)
        assert done.returncode == 0
        assert [part.title for part in parts(done.stdout, "x")] == ["Two"]

    def test_bad_levels_are_reported_and_omitted(self, here: Path) -> None:
        write(Path("b.xsb"), ONE_PUSH, "#####\n#@q.#\n#####\n", CORNERED)
        done = puzzlemc("convert", "b.xsb", "b.slc")
        assert done.returncode == 2
        assert done.stderr == "error: b.xsb:7:3: found 'q', expected one of # @ + $ * . space - _ (level #2)\n"
        assert done.stdout == "b.slc: 2 levels\n"
        assert [each.title for each in load("b.slc")] == ["One push", "Cornered"]

    def test_no_file_is_written_without_a_level(self, here: Path) -> None:
        done = puzzlemc("convert", "no.xsb", "b.slc")
        assert (done.returncode, done.stderr.splitlines()[0][:14]) == (2, "error: no.xsb:")
        assert not Path("b.slc").exists()

    @pytest.mark.parametrize(
        ("target", "message"),
        [
            ("b", "found no suffix as the format of levels of sokoban, expected one of .xsb, .sok, .slc"),
            ("b.fold", "found '.fold' as the format of levels of sokoban, expected one of .xsb, .sok, .slc"),
            ("c.zip", "expected one of .xsb, .sok, .slc: name it c.xsb.zip, or give --to xsb"),
            ("-", "expected one of .xsb, .sok, .slc: give --to xsb"),
            ("no/b.slc", "No such file"),
        ],
    )
    def test_invalid_targets_are_errors(self, target: str, message: str, here: Path) -> None:
        done = puzzlemc("convert", "a.sok", target)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in " ".join(done.stderr.split())

    def test_levels_of_several_files_are_converted(self, here: Path) -> None:
        Path("b.slc").write_text(SLC.replace("Ann", "Cy"), encoding="utf-8")
        done = puzzlemc("convert", ".", "all.slc")
        assert done.stderr == "all.slc: lost: what 2 files say of all their levels\n"
        assert done.stdout == "all.slc: 4 levels\n"
        assert [(each.title, each.part and each.part.author) for each in load("all.slc")] == [
            ("One", "Ann"),
            ("Two", "Ann"),
            ("One", "Cy"),
            ("T<w>o", "Bo"),
        ]

    def test_levels_of_other_puzzles_are_converted(self, here: Path) -> None:
        Path("a.tetravex").write_text("Title: One\nTetravex 1\n3 0 1 2\n", encoding="utf-8")
        Path("game.tetravex").write_text("Tetravex 1\n3 0 1 2\nPut\n0\n", encoding="utf-8")
        Path("b.fold").write_text("Title: One\n1 0\n\n1 0 -1\n", encoding="utf-8")
        done = puzzlemc("convert", "a.tetravex", "a.dzn")
        assert (done.stderr, done.stdout) == ("a.dzn: lost: 1 title\n", "a.dzn: 1 level\n")
        assert nameless(load("a.dzn")[0].level) == nameless(load("a.tetravex")[0].level)
        assert puzzlemc("convert", "a.dzn", "b.tetravex").returncode == 0
        assert nameless(load("b.tetravex")[0].level) == nameless(load("a.tetravex")[0].level)
        done = puzzlemc("convert", "game.tetravex", "b.dzn")
        assert done.returncode == 2
        assert "is read again as another level: this format cannot hold it" in " ".join(done.stderr.split())
        assert not Path("b.dzn").exists()
        assert puzzlemc("convert", "b.fold", "c.fold.zip").stdout == "c.fold.zip: 2 levels\n"
        assert [each.level for each in load("c.fold.zip")] == [each.level for each in load("b.fold")]

    def test_a_format_for_one_level_refuses_several(self, here: Path) -> None:
        Path("a.tetravex").write_text("Tetravex 1\n3 0 1 2\nTetravex 1\n3 0 1 2\n", encoding="utf-8")
        done = puzzlemc("convert", "a.tetravex", "a.dzn")
        assert done.returncode == 2
        assert "a .dzn file holds one level, found 2: expected a.tetravex#1" in " ".join(done.stderr.split())

    def test_levels_of_different_puzzles_are_refused(self, here: Path) -> None:
        Path("a.fold").write_text("1 0\n", encoding="utf-8")
        done = puzzlemc("convert", ".", "b.xsb")
        assert "found levels of folding and sokoban, expected those of one puzzle" in " ".join(done.stderr.split())

    @pytest.mark.parametrize("name", puzzles())
    def test_the_formats_of_each_puzzle_keep_its_levels(self, name: str) -> None:
        shipped = load(Path(sokoban.__file__).parents[1] / "levels" / name)[:3]
        content = puzzle(name).text.content or nameless
        assert shipped
        for suffix, form in puzzle(name).level_formats.items():
            for entry in shipped:
                assert entry.part is not None
                text = form.write(About(), [(entry.level, entry.part)])
                (part,) = puzzle(name).screen.cut(text, f"a{suffix}")
                assert isinstance(part, Part)
                if suffix != ".dzn":
                    assert content(puzzle(name).screen.build(part)) == content(entry.level)


def test_formats_follow_from_targets() -> None:
    assert Target.of("x/A.SOK.GZ", None) == Target(".sok", "A.SOK", ".gz")
    assert Target.of("x/a.zip", "slc") == Target(".slc", "a.slc", ".zip")
    assert Target.of("x/a.zip", ".SLC") == Target(".slc", "a.slc", ".zip")
    assert Target.of("-", "sok").suffix == ".sok"


# --- Solutions in files

SOLVED = f"""{ROOM}
Title: Good

Solution
2R

Solution/Moves
RR

{ROOM}
Title: Bad

RRR

Ru

R

{CORNERED}
Solution: l

{ONE_PUSH}
"""


def test_solutions_of_files_are_checked(tmp_path: Path) -> None:
    path = write(tmp_path / "a.sok", SOLVED)
    code, rows = as_json("check", path, "--solutions")
    assert code == 2
    given = [row["given"] for row in rows]
    assert [[each["status"] for each in of] for of in given] == [
        ["solves", "solves"],
        ["invalid", "invalid", "unsolved"],
        ["unsolved"],
        [],
    ]
    assert given[0][1] == {
        "title": "Solution/Moves",
        "line": 10,
        "status": "solves",
        "length": 2,
        "moves": 2,
        "pushes": 2,
        "above": 0,
        "reason": None,
    }
    assert given[1][0]["reason"] == (
        f"{path}:17:3: move 3, R, is not legal: behind the box at row 2, column 5 is a wall"
    )
    assert [row["verdict"] for row in rows] == ["solvable", "solvable", "unsolvable", "solvable"]
    assert "given" not in as_json("check", path)[1][0]


def test_right_solutions_are_compared_with_the_best(tmp_path: Path) -> None:
    room = "#######\n#@ $ .#\n#     #\n#######"
    path = write(tmp_path / "a.sok", f"{room}\n\nSolution\ndrrurrdlluL\n".replace("drrurrdlluL", "rRlrR"))
    done = puzzlemc("check", path, "--solutions", "--metric", "moves")
    assert done.returncode == 0
    assert "  solution: right: 2 pushes, 5 moves; 2 moves too many\n" in done.stdout
    assert done.stdout.endswith("1 solution in their files: 1 right, 0 wrong\n")


def test_a_typo_in_a_solution_is_reported(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.sok",
        f"{ONE_PUSH}\nSolution\nURlx\n\n{ONE_PUSH}\nSolution: Rrx\n\n{ONE_PUSH}\nSolution\nunknown yet\n",
    )
    done = puzzlemc("check", path, "--solutions")
    assert done.returncode == 2
    assert f"solution: wrong: {path}:7:4: found 'x'" in done.stdout
    assert f"solution: wrong: {path}:14:13: found 'x'" in done.stdout
    assert done.stdout.endswith("2 solutions in their files: 0 right, 2 wrong\n")
    path = write(tmp_path / "b.xsb", ONE_PUSH)
    assert puzzlemc("check", path, "--solutions").stdout.endswith("\nno solutions in their files\n")


def test_solutions_in_xml_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.slc"
    path.write_text(SLC)
    code, rows = as_json("check", path, "--solutions")
    assert code == 0
    assert [[each["status"] for each in row["given"]] for row in rows] == [[], ["solves"]]


FAR = "######\n#@ $.#\n######"
CORRIDOR = "################\n#@ $          .#\n################"


def test_a_count_may_be_split_by_a_line_end(tmp_path: Path) -> None:
    path = write(tmp_path / "a.sok", f"{CORRIDOR}\n\nSolution\nr1\n1R\n\nSolution 2\n1(r\n)(11\nR)\n")
    (given,) = (row["given"] for row in as_json("check", path, "--solutions")[1])
    assert [(each["status"], each["length"]) for each in given] == [("solves", 12)] * 2


@pytest.mark.parametrize("title", ["Third game", "Reverse Mode Snapshot", "Solution", ""])
@pytest.mark.parametrize("moves", ["[]ll[rr\n]LLr\nlR", "[rr]U\n[dd\n]L", "{rd}rR"])
def test_games_in_other_modes_are_no_solutions(title: str, moves: str) -> None:
    (part,) = parts(f"{FAR}\n\n{title}\n{moves}\n\nEnd\n", "a.sok")
    assert part.solutions == ()
    assert moves in part.comment


def test_saved_games_are_no_wrong_solutions(tmp_path: Path) -> None:
    names = ["Spielstand", "Partie sauvegardee", "Undo", "Saved Game 1", "savegame 2", "SaveGame", "Snapshot"]
    text = "\n\n".join(f"{name}\nr*" for name in names)
    path = write(tmp_path / "a.sok", f"{FAR}\n\n{text}\n\nMine\nrR\n")
    done = puzzlemc("check", path, "--solutions")
    assert done.returncode == 0
    assert "\n  Spielstand: a saved game: the level is not solved yet (0 pushes, 1 move)\n" in done.stdout
    assert "\n  Mine: right: 1 push, 2 moves; no solution has fewer pushes\n" in done.stdout
    assert done.stdout.endswith("1 solution in their files: 1 right, 0 wrong; 3 saved games\n")
    write(path, f"{FAR}\n\n{text}\n")
    done = puzzlemc("check", path, "--solutions")
    assert done.returncode == 0
    assert done.stdout.endswith("\nno solutions in their files; 3 saved games\n")
    (row,) = as_json("check", path, "--solutions")[1]
    assert [each["status"] for each in row["given"]] == ["saved game"] * 3


@pytest.mark.parametrize(
    "title", ["", "Solution 2", "Lösung", "Beste Loesung", "Solución", "Soluzione/Mosse", "Lösning"]
)
def test_a_solution_that_ends_too_early_is_wrong(title: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.sok", f"{FAR}\n\n{title}\nr\n")
    done = puzzlemc("check", path, "--solutions")
    assert done.returncode == 2
    assert done.stdout.endswith("1 solution in their files: 0 right, 1 wrong\n")


def test_the_solution_of_a_file_comes_before_its_saved_games(tmp_path: Path) -> None:
    path = write(tmp_path / "a.sok", f"{FAR}\n\nSpielstand\nr\n\nSolution\nrR\n")
    assert puzzlemc("replay", path, path).returncode == 0


def test_an_illegal_game_of_any_name_is_wrong(tmp_path: Path) -> None:
    path = write(tmp_path / "a.sok", f"{FAR}\n\nSpielstand\nlll\n")
    assert puzzlemc("check", path, "--solutions").returncode == 2


def test_a_solution_may_be_right_but_for_the_case_of_its_letters(tmp_path: Path) -> None:
    path = write(tmp_path / "a.sok", f"{FAR}\n\nSolution\nrr\n\nIn capitals\nRR\n\nSolution, wrong\nrl\n")
    done = puzzlemc("check", path, "--solutions")
    right = "right, but for the case of its letters: 1 push, 2 moves; no solution has fewer pushes\n"
    assert f"\n  solution: {right}  In capitals: {right}" in done.stdout
    assert done.stdout.endswith("3 solutions in their files: 2 right, 1 wrong\n")
    (row,) = as_json("check", path, "--solutions")[1]
    assert [each["status"] for each in row["given"]] == ["solves", "solves", "unsolved"]
    assert [each["reason"] for each in row["given"]] == ["but for the case of its letters"] * 2 + [None]
    done = puzzlemc("replay", path, "rr")
    assert done.returncode == 0
    assert "solves the level, but for the case of its letters: 1 push, 2 moves" in done.stdout
    assert puzzlemc("replay", path, "rrr").returncode == 2
    assert puzzlemc("solve", path, "--improve", write(tmp_path / "b.lurd", "rr")).returncode == 0


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["microban1", "grigrspecial_40", "unsolvable_60", "boxoban_hard_100"])
def test_collections_of_the_corpus_survive_conversion(name: str, corpus: Path, tmp_path: Path) -> None:
    source = corpus / "sokoban" / f"{name}.xsb"
    before = source
    for suffix in ("slc", "sok.zip", "slc.gz", "xsb"):
        target = tmp_path / f"a.{suffix}"
        assert puzzlemc("convert", before, target).returncode == 0
        before = target
    there, back = load(source), load(before)
    assert [each.level for each in back] == [each.level for each in there]
    assert [each.title for each in back] == [each.title for each in there]
