"""Titles and file names with commands to terminals, browsers or the eye are shown, and not obeyed."""

import json
import os
import re
import unicodedata
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command import CORNERED, ONE_PUSH, puzzlemc, started, write
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from puzzlemc.encodings.puzzles import Entry, load, puzzle
from puzzlemc.reports.ask.compare import Row
from puzzlemc.reports.certify.file_names import file_stems
from puzzlemc.reports.certify.verify import Verification
from puzzlemc.reports.cli.common.table import Table
from puzzlemc.reports.formats import drawing
from puzzlemc.reports.output.plain import markdown, markdown_block, markdown_code, plain, plain_lines, xml
from puzzlemc.reports.page.report import make
from puzzlemc.reports.page.written import FORMATS
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result
from puzzlemc.screens.base.picture import Box, Label, Picture


@cache
def harmful() -> frozenset[str]:
    """Harmful characters by Unicode's own data; the two joiners belong to letters of some scripts."""
    return frozenset(
        c
        for c in map(chr, range(0x110000))
        if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp")
        or unicodedata.bidirectional(c) in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
        or c in "\u061c\u200b\u200e\u200f\u2060\ufeff\ufffe\uffff"
    )


TITLE = "\x1b[31mred\x07 \x9b2J \u202ereversed \x85\x0c\u2028<script>alert(1)</script> & \"'`` | [a](b) «é倉»"
SPECIAL = "\x1b\x07\x00\x9b\u202e\u2066\ud800<>&\"'`|*_[]\\#\n\r\t ab"
texts = st.text(st.one_of(st.sampled_from(SPECIAL), st.characters()))


@given(text=texts)
def test_plain_texts_do_no_harm(text: str) -> None:
    assert not harmful() & set(plain(text))
    assert harmful() & set(plain_lines(text)) <= {"\n"}
    assert plain(plain(text)) == plain(text)
    assert plain_lines(text).split("\n") == [plain(line) for line in text.split("\n")]
    if not [c for c in text if c in harmful() or unicodedata.category(c) in ("Cf", "Cn")]:
        assert plain(text) == text


def test_every_harmful_character_is_escaped() -> None:
    assert [c for c in harmful() if plain(c) == c] == []
    assert plain("\x1b\x9b\n\t\udc80\u202e") == r"\x1b\x9b\n\t\udc80\u202e"
    assert plain("Crème «brûlée» 倉庫番 \u200d 😀 \\n") == "Crème «brûlée» 倉庫番 \u200d 😀 \\n"


@given(text=texts)
def test_xml_is_well_formed_and_keeps_the_text(text: str) -> None:
    root = ElementTree.fromstring(f'<a b="{xml(text)}">{xml(text)}</a>')
    assert (root.text or "") == plain_lines(text)


@given(title=texts, label=texts)
def test_svg_is_well_formed(title: str, label: str) -> None:
    shown = Picture(3, 1, (Box(0, 0, 3, 1, "floor"),), (Label(1.5, 0.5, label, 0.5),))
    root = ElementTree.fromstring(drawing.svg([shown, shown], title).encode())
    assert (root.findtext("{http://www.w3.org/2000/svg}title") or "") == plain_lines(title)
    assert not harmful() & set(drawing.painted(shown).plain) - {"\n"}


@given(text=texts)
def test_markdown_shows_the_text(text: str) -> None:
    """By CommonMark: backslashes and entities escape punctuation; code ends with the same number of backticks."""
    written = markdown(text)
    assert "\n" not in written
    assert "<" not in written
    assert not re.search(r"(?<!\\)(?:\\\\)*[`*_\[\]|~#$]", re.sub(r"\\[`*_\[\]|~#$]", "", written))
    shown = re.sub(r"\\([\\`*_\[\]|~#$])", r"\1", written)
    assert shown.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") == plain(text)
    code = markdown_code(text)
    fence = code[: len(code) - len(code.lstrip("`"))]
    assert code.endswith(fence)
    assert fence not in re.findall("`+", code[len(fence) : -len(fence)])
    head, *inside, end = markdown_block(text).split("\n")
    assert head == end
    assert all(head not in line for line in inside)


def hostile(folder: Path) -> dict[str, Path]:
    """A level of each puzzle with a hostile title, author and file name."""
    name, head = "a\x1b[31m\n\u202e<b>`" + os.fsdecode(b"\xff"), f"Title: {TITLE}\nAuthor: {TITLE}\n"
    title = TITLE.replace("\x1b", "").replace("\x07", "").replace("\x0c", "")  # which no XSB file may have
    levels = {
        "xsb": ONE_PUSH.replace("One push", title),
        "fold": f"{head}1 0\n",
        "tetravex": f"{head}Tetravex 1\n1 2 3 4\n",
    }
    for suffix, text in levels.items():
        (folder / f"{name}.{suffix}").write_text(text)
    return {suffix: folder / f"{name}.{suffix}" for suffix in levels}


def harm(text: str) -> set[str]:
    """The harmful characters in the output of a command, apart from line feeds."""
    return {c for c in text if c in harmful() and c != "\n"}


COMMANDS = {
    "check": (["check", "{}", "--verbose"], 4),
    "solve": (["solve", "{}", "--draw"], None),
    "frames": (["solve", "{}", "{}", "--format", "frames"], None),
    "svg": (["solve", "{}", "--format", "svg"], None),
    "report": (["report", "{}", "-o", "-"], None),
    "dot": (["export", "{}", "--to", "dot", "-o", "-"], None),
    "graphml": (["export", "{}", "--to", "graphml", "-o", "-"], None),
    "query": (["query", "{}", "EF solved"], None),
    "bad query": (["query", "{}", "EF \x1b[31msolved\n\u202e"], None),
    "compare": (["compare", "{}", "--method", "breadth-first"], 4),
    "no such level": (["solve", "{}#7"], 2),
    "no such file": (["export", "{}x", "--to", "dot", "-o", "{}y"], None),
    "no such option": (["check", "{}", "--metric", "\x1b[31m\u202e"], None),
    "no such engine": (["check", "{}", "--engine", "\x1b[31m\u202e"], None),
    "no such folder": (["check", "{}", "--certificate", "{}/x"], 1),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_show_hostile_texts_and_do_not_obey(tmp_path: Path, name: str) -> None:
    arguments, lines = COMMANDS[name]
    for suffix, path in hostile(tmp_path).items():
        if name not in ("check", "solve", "report") and suffix != "fold":
            continue
        done = puzzlemc(*(part.format(path) if "{}" in part else part for part in arguments))
        assert harm(done.stdout + done.stderr) == set()
        assert "Traceback" not in done.stderr
        if lines is not None:  # a line feed in a name starts no line
            shown = (done.stdout + done.stderr).splitlines()
            assert len(shown) == lines, shown
        if name in ("svg", "graphml"):
            ElementTree.fromstring(done.stdout.encode())
        if name == "report":
            assert "<script" not in done.stdout


def test_certificates_are_shown_and_not_obeyed(tmp_path: Path) -> None:
    folder = tmp_path / "certificates"
    for path in hostile(tmp_path).values():
        done = puzzlemc("check", path, "--engine", "bidirectional", "--certificate", folder)
        assert done.returncode == 0
    files = sorted(folder.iterdir())
    assert len(files) == 3
    content = json.loads(files[0].read_text())
    changes = [("metric", "\x1b[31m\u202e"), ("level", [TITLE, "\x1b"]), ("id", "\ud800\n")]
    for number, (field, value) in enumerate(changes):
        (folder / f"x{number}.json").write_text(json.dumps(content | {field: value}))
    done = puzzlemc("verify", *sorted(folder.iterdir()))
    assert harm(done.stdout + done.stderr) == set()
    assert len(done.stdout.splitlines()) == 7
    assert done.stderr == ""


class Page(HTMLParser):
    """The texts and scripts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_pages_and_notes_show_titles(tmp_path: Path) -> None:
    (entry,) = load([str(write(tmp_path / "a.xsb", ONE_PUSH))])
    made = make(entry, Options())
    tags = Page(FORMATS[".html"](made)).tags

    @settings(max_examples=examples(2, 10))
    @given(title=texts.filter(str.strip))
    def check(title: str) -> None:
        report = replace(made, result=replace(made.result, title=title))
        text = FORMATS[".html"](report)
        assert harm(text) == set()
        page = Page(text)
        assert page.tags == tags
        assert plain_lines(title) in page.texts
        notes = FORMATS[".md"](report)
        assert harm(notes) == set()
        assert notes.startswith(f"# {markdown(title)}\n")

    check()


@given(id=texts, title=texts, reason=texts)
def test_rows_are_single_lines(id: str, title: str, reason: str) -> None:
    lines: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        show = "puzzlemc.reports.cli.common.table.show"
        patch.setattr(show, lambda *parts, **_: lines.append("".join(map(str, parts))))
        table = Table([Entry(id, title, puzzle("folding"), object(), None)], None, traces=True)
        table.add(Result(id, title, "folding", "unsolvable", metrics=("moves",)))
        # Each error of a level is one line.
        table.add(Result(id, title, "folding", "error", reason=reason.replace("\n", " ")))
    lines += [
        Row(id, "A*", "unknown", None, None, 1.0, "timeout", "moves").as_text(),
        Verification(id, "refuted", reason=reason).as_text(),
    ]
    assert harm("".join(lines)) == set()
    assert "\n" not in "".join(lines)


# File names.


@given(
    names=st.lists(
        st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=130),
        unique=True,
    )
)
def test_file_names_fit_and_differ(names: list[str]) -> None:
    ids = [f"{name}#{number}" for name in names for number in (1, 2)]
    made = file_stems(ids).values()
    assert len(set(made)) == len(ids)
    assert all(re.fullmatch(r"[A-Za-z0-9_.~%-]{1,200}", name) for name in made)


@pytest.mark.parametrize("name", ["é" * 120, "倉庫番" * 20, "a" * 250])
def test_levels_with_long_names_have_certificates_and_traces(tmp_path: Path, name: str) -> None:
    levels = write(tmp_path / name, ONE_PUSH, CORNERED, ONE_PUSH)
    options = ("--puzzle", "sokoban", "--engine", "bidirectional")
    done = puzzlemc("check", levels, *options, "--certificate", tmp_path / "out")
    assert (done.returncode, done.stderr) == (1, "")
    files = sorted((tmp_path / "out").iterdir())
    assert len(files) == 3
    done = puzzlemc("verify", *files, "--aiger", tmp_path / "aiger", "--drat", tmp_path / "drat")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(list((tmp_path / "aiger").iterdir())) == 6
    done = puzzlemc("solve", levels, "--puzzle", "sokoban", "--format", "svg", "-o", tmp_path / "svg")
    assert (done.returncode, len(list((tmp_path / "svg").iterdir()))) == (1, 2)


@pytest.mark.parametrize(
    "commands",
    [
        [
            ["solve", "{level}", "{level}", "--format", "frames"],
            ["export", "{level}", "--to", "graphml", "-o", "{out}/é.graphml"],
        ],
        pytest.param(
            [
                ["query", "{level}", "EF solved"],
                ["generate", "folding"],
                ["solve", "{level}", "--format", "lurd", "-o", "{out}/ü.lurd"],
                ["report", "{level}", "-o", "-"],
                ["report", "{level}", "-o", "{out}/ü.html"],
                ["check", "{level}", "--certificate", "{out}/proofs", "--verbose"],
                ["verify", "{proof}"],
                ["export", "{level}", "--to", "pddl", "-o", "{out}/é.pddl"],
            ],
            marks=pytest.mark.slow,
        ),
    ],
    ids=["some", "all others"],
)
def test_a_plain_locale_suffices(tmp_path: Path, commands: list[list[str]]) -> None:
    """Output does not fail on characters that the locale lacks, and files are UTF-8.

    `test_a_folder_of_any_name_under_another_encoding` makes proofs and a page in such a locale each time.
    """
    environment = os.environ | {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    level = write(tmp_path / "é.xsb", ONE_PUSH.replace("One push", "Crème 倉"))
    for arguments in commands:
        places = {"level": level, "out": tmp_path, "proof": next(tmp_path.glob("proofs/*"), None)}
        done = started(*(part.format(**places) for part in arguments), env=environment)
        # Lines of --verbose are expected.
        unexpected = [line for line in done.stderr.splitlines() if " of processor time, " not in line]
        assert (done.returncode, unexpected) == (0, []), arguments
    if (page := tmp_path / "ü.html").exists():
        assert "Crème 倉" in page.read_text(encoding="utf-8")
    if (proofs := tmp_path / "proofs").exists():
        assert len(list(proofs.iterdir())) == 1
