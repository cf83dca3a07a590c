"""A compiled module with a changed source, for tests that must detect the change.

    python tests/changed_module.py NAME LIBRARY RULE

takes the place of the compiled module of that name, and prints whether `benchmarks/deadlocks.py` finds the rule
wrong.
"""

import importlib
import random
import subprocess
import sys
import sysconfig
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]
TREE, SHARED = ROOT / "build/tree", "puzzlemc.mc.shared_code"  # see setup.py
LEVELS = 120


def compiled(name: str, source: str, folder: Path) -> Path:
    """Compile the source in place of that of the module of that name; the library."""
    from Cython.Build import cythonize
    from setuptools import Extension

    place = folder / f"{name.rpartition('.')[2]}.py"
    place.write_text(source, encoding="utf-8")
    cythonize(
        [Extension(name, [str(place)])],
        include_path=[str(TREE)],
        language_level=3,
        compiler_directives={"wraparound": False, "cdivision": True, "infer_types": True, "boundscheck": False},
        shared_utility_qualified_name=SHARED,
        quiet=True,
    )
    library = place.with_suffix(".so")
    compiler = str(sysconfig.get_config_var("CC")).split()[0]
    options = ["-O0", "-fwrapv", "-fPIC", "-shared", "-w", f"-I{sysconfig.get_path('include')}"]
    subprocess.run([compiler, *options, str(place.with_suffix(".c")), "-o", str(library)], check=True)
    return library


def is_found_wrong(name: str, library: Path, rule: str) -> bool:
    """Is the rule found to be wrong with this library in place of the module?"""
    process = subprocess.run(
        [sys.executable, __file__, name, str(library), rule],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return process.stdout.split()[-1] == "wrong"


def _take_place(name: str, library: str) -> ModuleType:
    """Load the library as the module of that name, for all that import it later."""
    parent, _, last = name.rpartition(".")
    loader = ExtensionFileLoader(name, library)
    spec = spec_from_loader(name, loader)
    assert spec is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    loader.exec_module(module)
    setattr(importlib.import_module(parent), last, module)
    return module


def main() -> None:
    """Judge the levels until the rule is wrong."""
    name, library, rule = sys.argv[1:]
    _take_place(name, library)
    sys.path.insert(0, str(ROOT / "benchmarks"))
    deadlocks = importlib.import_module("deadlocks")
    choice = random.Random(3)
    for _ in range(LEVELS):
        known = deadlocks.known(deadlocks.random_level(choice))
        tally = deadlocks.judge_plan_finder(*known).get(rule)
        if tally is not None and tally.wrong:
            print("wrong")
            return
    print("right")


if __name__ == "__main__":
    main()
