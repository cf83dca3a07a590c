"""The headers of compiled modules, made from their annotations; each mistake is named with its file and line."""

import runpy
from pathlib import Path

import pytest
from places import ROOT

HEADERS = runpy.run_path(str(ROOT / "tools" / "headers.py"))
WORDS = "ctypedef bint Flag\nctypedef long long Index\nctypedef long long[::1] Numbers\n"
MODULE = '''"""A module."""

import cython

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.table import FULL, Table, hash_of
    from puzzlemc.mc.words import Flag, Index, Numbers

    OPEN, CLOSED = range(2)
    MOST = FULL << 1


class Row:
    """A row."""

    numbers: Numbers  # readonly
    names: dict[str, int]  # interpreted
    size: Index  # public
    last: Index

    def __init__(self, numbers: list[int]) -> None:
        self.numbers = view(numbers)

    def sum(self, first: Index) -> Index:
        return self.size

    def clear(self) -> None:  # interpreted
        self.size = 0


def find(
    row: Row, table: Table, key: Index
) -> Flag:  # public
    return _has(row, key)


def _has(row: Row, key: Index) -> Flag:
    return key != 0


def made(row: Row) -> Row:
    return row


def read(path: str) -> int:
    return len(path)
'''
TABLE = '''"""A table."""

import cython

if not cython.compiled:
    from puzzlemc.mc.words import Index

    FULL = 1 << 3


class Table:
    """A table."""

    size: Index


def hash_of(table: Table) -> Index:
    return 0
'''
HEADER = """# Made from mc/row.py by tools/headers.py.
from puzzlemc.mc.table cimport FULL, Table, hash_of
from puzzlemc.mc.words cimport Flag, Index, Numbers

cpdef enum:
    OPEN = 0
    CLOSED = 1
    MOST = 16


cdef class Row:
    cdef readonly Numbers numbers
    cdef public object names
    cdef public Index size
    cdef Index last
    cdef Index sum(self, Index first) noexcept nogil


cpdef Flag find(Row row, Table table, Index key) noexcept nogil
cdef Flag _has(Row row, Index key) noexcept nogil
"""


def build(root: Path, module: str = MODULE) -> list[Path]:
    """The compiled modules of a small project, whose headers are in `build`."""
    (root / "mc").mkdir(exist_ok=True)
    for name, text in {
        "row.py": module,
        "table.py": TABLE,
        "words.pxd": WORDS,
        "words.py": '"""Words."""\n',
    }.items():
        (root / "mc" / name).write_text(text, encoding="utf-8")
    HEADERS["build_tree"](root, ["mc"], root / "build")
    found: list[Path] = HEADERS["compiled_modules"](root, ["mc"])
    return found


def test_a_header_declares_what_is_annotated(tmp_path: Path) -> None:
    assert build(tmp_path) == [Path("mc/row.py"), Path("mc/table.py")]
    assert (tmp_path / "build/mc/row.pxd").read_text(encoding="utf-8") == HEADER
    assert (tmp_path / "build/mc/row.py").resolve() == tmp_path / "mc/row.py"
    assert (tmp_path / "build/mc/words.pxd").resolve() == tmp_path / "mc/words.pxd"


def test_a_header_that_is_right_is_left_alone_and_one_without_module_goes(tmp_path: Path) -> None:
    build(tmp_path)
    header, table = tmp_path / "build/mc/row.pxd", tmp_path / "build/mc/table.pxd"
    before = header.stat().st_mtime_ns
    (tmp_path / "build/mc/gone.pxd").write_text("", encoding="utf-8")
    build(tmp_path)
    assert header.stat().st_mtime_ns == before
    assert table.exists()
    assert not (tmp_path / "build/mc/gone.pxd").exists()


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        (
            "last: Index",
            "last: list[int]",
            "mc/row.py:21: found list[int], expected a type of C for the field last",
        ),
        ("OPEN, CLOSED = range(2)", "OPEN = len('a')", "mc/row.py:11: found len('a'), expected an integer"),
        ("MOST = FULL << 1", "def f(): pass", "mc/row.py:12: expected imports and integer constants under"),
        ("hash_of\n", "missing\n", "mc/row.py:8: found missing, expected a compiled name of puzzlemc.mc.table"),
        ("key: Index\n)", "key: int\n)", "mc/row.py:33: find is marked `# public`, expected parameters"),
    ],
)
def test_a_mistake_is_named_with_file_and_line(tmp_path: Path, right: str, wrong: str, message: str) -> None:
    assert right in MODULE
    with pytest.raises(HEADERS["HeaderError"]) as caught:
        build(tmp_path, MODULE.replace(right, wrong))
    assert str(caught.value).startswith(message)
