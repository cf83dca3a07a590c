"""Builds the compiled modules: those that import `cython`. Everything else stands in setup.cfg.

Cython finds headers by the names of packages, and these differ from the folders: it reads a tree of links, and of
headers that `tools/headers.py` writes. Commands that compile nothing, such as those that ask for metadata, do not
wait for Cython. A change of the options below takes effect once `build` is removed.
"""

import os
import shutil
import sys
import sysconfig
from pathlib import Path
from runpy import run_path

from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext

try:
    import fcntl
except ImportError:  # as on Windows, where runs do not wait for each other
    fcntl = None

ROOMS = ("mc", "encodings")
TREE = Path("build/tree")
SHARED = "puzzlemc.mc.shared_code"  # what Cython adds to each module that has arrays
CHECKED = {"boundscheck": True, "initializedcheck": True, "overflowcheck": True, "show_performance_hints": False}
FAST = {"boundscheck": False, "initializedcheck": False}

SYSTEM = f"{sysconfig.get_platform()}-{sys.implementation.cache_tag}"
PLACES = f"build/lib.{SYSTEM}", f"build/temp.{SYSTEM}"  # where setuptools compiles to, if nothing else is said

checked = bool(os.environ.get("PUZZLEMC_CHECKED"))  # see `make checked`
work = Path("build/checked-c" if checked else "build/c")
directives = {"wraparound": False, "cdivision": True, "infer_types": True, "auto_pickle": False} | (
    CHECKED if checked else FAST
)
headers = run_path("tools/headers.py")
less_optimised = run_path("tools/kernels.py")["less_optimised"]
modules: list[Path] = headers["compiled_modules"](Path.cwd(), ROOMS)


def name_of(module: Path) -> str:
    """The import name of a compiled module."""
    return f"puzzlemc.{'.'.join(module.with_suffix('').parts)}"


# By the kind of compiler. -fwrapv: signed numbers wrap around in place of undefined behaviour; Microsoft's
# compiler has no documented option for that.
FLAGS = {"unix": ["-O2", "-g0", "-fwrapv"], "mingw32": ["-O2", "-g0", "-fwrapv"], "msvc": ["/O2"]}


def extension(name: str, *sources: Path) -> Extension:
    """A module of C code."""
    return Extension(name, [str(source) for source in sources])


def mark_kernels(source: Path, header: Path) -> None:
    """Have the compiler optimise C code less outside of kernels."""
    code = source.read_text(encoding="utf-8")
    marked = less_optimised(code, header.read_text(encoding="utf-8"))
    if marked != code:  # it is replaced at once: C code that is newer than its module is not translated again
        half = source.with_suffix(".half")
        half.write_text(marked, encoding="utf-8")
        half.replace(source)


def translate() -> dict[str, list[str]]:
    """Translate the modules that have changed to C; return the C files of each module by its name."""
    from Cython.Build import cythonize
    from Cython.Compiler import Options

    Options.warning_errors = True
    try:
        headers["build_tree"](Path.cwd(), ROOMS, Path.cwd() / TREE / "puzzlemc")
    except headers["HeaderError"] as error:
        sys.exit(f"puzzlemc: {error}")
    extensions = cythonize(
        [
            *(extension(name_of(module), TREE / "puzzlemc" / module) for module in modules),
            extension(SHARED, work / "shared_code.c"),
        ],
        build_dir=str(work),
        include_path=[str(TREE)],
        language_level=3,
        compiler_directives=directives,
        shared_utility_qualified_name=SHARED,
        nthreads=os.cpu_count() or 1,
    )
    for module in modules:
        source, header = ((folder / "puzzlemc" / module) for folder in (work / TREE, TREE))
        mark_kernels(source.with_suffix(".c"), header.with_suffix(".pxd"))
    return {each.name: each.sources for each in extensions}


class Build(build):
    """Compiles first, so that what is missing for that is not shown after a list of all files."""

    sub_commands = sorted(build.sub_commands, key=lambda command: command[0] != "build_ext")


class Compile(build_ext):
    """Compiles the modules, or says in one line what is missing for that. Of two runs, one waits for the other."""

    def run(self) -> None:
        """Translate and compile what has changed since the last run."""
        if self.editable_mode:  # else the libraries would be made in a folder that is empty each time
            self.build_lib, self.build_temp = PLACES
        work.mkdir(parents=True, exist_ok=True)
        with (work / "lock").open("w") as lock:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX)
            sources = translate()
            for each in self.extensions:
                each.sources = sources[each.name]
            super().run()

    def build_extensions(self) -> None:
        """Raises SystemExit if there is no C compiler, or no header of Python's."""
        kind = self.compiler.compiler_type
        if kind != "msvc" and shutil.which(compiler := self.compiler.compiler_so[0]) is None:
            sys.exit(f"puzzlemc: found no C compiler {compiler!r}, expected one; on Debian: apt-get install gcc")
        if not Path(sysconfig.get_path("include"), "Python.h").exists():
            sys.exit("puzzlemc: found no Python.h, expected it; on Debian: apt-get install python3-dev")
        for each in self.extensions:
            each.extra_compile_args = FLAGS[kind]
        # `options` of `setup` do not reach this command in an editable install.
        self.parallel = self.parallel or os.cpu_count()
        super().build_extensions()


if __name__ == "__main__":  # where processes are spawned, those that translate import this file
    setup(
        cmdclass={"build": Build, "build_ext": Compile},
        ext_modules=[extension(name) for name in (*map(name_of, modules), SHARED)],
    )
