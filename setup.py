"""Builds the compiled modules: those with a .pxd file beside them. Everything else stands in setup.cfg.

Cython finds .pxd files by the names of packages, and these differ from the folders: it reads a tree of links.
"""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

ROOMS = ("mc", "encodings")
TREE, HEADERS = Path("build/tree"), {Path("mc/words.pxd")}  # which declares what no module defines
SHARED = "puzzlemc.mc.shared_code"  # what Cython adds to each module that has arrays
CHECKED = {"boundscheck": True, "initializedcheck": True, "overflowcheck": True}
FAST = {"boundscheck": False, "initializedcheck": False}

checked = bool(os.environ.get("PUZZLEMC_CHECKED"))
directives = {"wraparound": False, "cdivision": True, "infer_types": True} | (CHECKED if checked else FAST)
sources = [
    header.with_suffix(".py")
    for room in ROOMS
    for header in sorted(Path(room).rglob("*.pxd"))
    if header not in HEADERS
]

(TREE / "puzzlemc").mkdir(parents=True, exist_ok=True)
for room in ROOMS:
    link = TREE / "puzzlemc" / room
    if not link.is_symlink():
        link.symlink_to(Path("../../..") / room)


def extension(name: str, *sources: Path) -> Extension:
    """A module of C code. -fwrapv: numbers wrap around in place of undefined behaviour."""
    return Extension(name, [str(source) for source in sources], extra_compile_args=["-O2", "-g0", "-fwrapv"])


setup(
    ext_modules=cythonize(
        [
            *(extension(f"puzzlemc.{'.'.join(s.with_suffix('').parts)}", TREE / "puzzlemc" / s) for s in sources),
            extension(SHARED, Path("build/c/shared_code.c")),
        ],
        build_dir="build/c",
        include_path=[str(TREE)],
        language_level=3,
        compiler_directives=directives,
        shared_utility_qualified_name=SHARED,
        nthreads=os.cpu_count() or 1,
    ),
    options={"build_ext": {"parallel": os.cpu_count()}},
)
