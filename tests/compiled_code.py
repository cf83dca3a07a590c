"""The compiled code of the project in parts, and the parts that each folder of tests needs.

In a fresh clone, compiling all parts takes two minutes of processor time. A test may need a part that is not
listed for its folder: that part is compiled during the test.
"""

from collections.abc import Iterable
from pathlib import Path

from puzzlemc.mc import jit

HERE = Path(__file__).parent
# Each part: a function that runs the code, and its modules. The first half takes as long as the second.
PARTS = {}
# By folder or file; the most specific name applies.
NEEDS = {
    "": (),
    "benchmarks": PARTS,
    "encodings/sokoban": PARTS,
    "encodings/test_levels.py": PARTS,
    "reports": PARTS,
    "screens/base/test_archive.py": PARTS,
    "screens/sokoban/test_collections.py": PARTS,
    "test_examples.py": PARTS,
    "tools": PARTS,
}


def needed(paths: Iterable[Path]) -> list[str]:
    """The parts that these test files need, in the order of `PARTS`."""
    parts: set[str] = set()
    for path in set(paths):
        name = path.relative_to(HERE).as_posix()
        parts.update(NEEDS[max((each for each in NEEDS if name.startswith(each)), key=len)])
    return [part for part in PARTS if part in parts]


def compile_parts(parts: Iterable[str]) -> None:
    """Compile those parts that are not on disk, and load all of them."""
    for part in parts:
        jit.compile_now(*PARTS[part])
