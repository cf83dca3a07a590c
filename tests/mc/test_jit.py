"""A function is compiled again when any function that is compiled into it changes, in whatever file."""

import os
import subprocess
import sys
from pathlib import Path

from puzzlemc.encodings.sokoban.generate import positions
from puzzlemc.mc import jit

HELPER = """
from puzzlemc.mc.jit import cached

@cached()
def value():
    return {}
"""
CALLER = """
from helper import value
from puzzlemc.mc.jit import cached

@cached()
def twice():
    return 2 * value()

print(twice(), sum(twice.stats.cache_hits.values()))
"""


def run(folder: Path) -> list[int]:
    """Return the results of the caller, and how often its code was read from the cache."""
    command = [sys.executable, "-c", "import caller"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=120)
    return [int(word) for word in done.stdout.split()]


def test_a_changed_helper_recompiles_its_callers(tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text(CALLER)
    (tmp_path / "helper.py").write_text(HELPER.format(1))
    assert run(tmp_path) == [2, 0]
    assert run(tmp_path) == [2, 1]
    (tmp_path / "helper.py").write_text(HELPER.format(5))
    assert run(tmp_path) == [10, 0]


def test_code_is_cached_elsewhere_if_its_folder_is_read_only(tmp_path: Path) -> None:
    """Not in a temporary folder that others can write to: code is loaded from there and run."""
    (tmp_path / "caller.py").write_text(
        "from numba.core import caching\n"
        "def refuse(self): raise OSError\n"
        "for place in (caching.InTreeCacheLocator, caching.UserWideCacheLocator):\n"
        "    place.ensure_cache_path = refuse\n"
        "from puzzlemc.mc.jit import cached\n"
        "@cached()\n"
        "def more(x):\n"
        "    return x + 1\n"
        "print(more(1), more.stats.cache_path)\n"
    )
    own = tmp_path / "temporary" / f"puzzlemc-{os.getuid()}"
    own.parent.mkdir()
    environment = {**os.environ, "TMPDIR": str(own.parent)}
    printed = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", "import caller"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        printed.append(done.stdout.split(maxsplit=1))
        own.chmod(0o777)
    assert [number for number, _ in printed] == ["2", "2"]
    assert printed[0][1].startswith(f"{own}/")
    assert not printed[1][1].startswith(f"{own}/")


def test_a_literal_argument_compiles_no_further_version(tmp_path: Path) -> None:
    """A function is compiled once for integers, not once for each literal at a call."""
    (tmp_path / "caller.py").write_text(
        "from puzzlemc.mc.jit import cached\n"
        "@cached()\n"
        "def more(x, y=3):\n"
        "    return x + y\n"
        "@cached()\n"
        "def most(x):\n"
        "    return more(1, x) + more(2, y=x) + more(x, 5) + more(6, 7)\n"
        "print(most(4), len(more.signatures))\n"
    )
    assert run(tmp_path) == [33, 1]


def test_code_is_compiled_again_if_a_compiled_file_of_its_package_changes(tmp_path: Path) -> None:
    package = tmp_path / "package"
    (package / "room").mkdir(parents=True)
    for folder in (package, package / "room"):
        (folder / "__init__.py").touch()
    (package / "other.py").write_text("from puzzlemc.mc.jit import cached\n")
    (package / "plain.py").write_text("")
    source = package / "room" / "source.py"
    source.write_text("from puzzlemc.mc.jit import cached\n")

    def digest() -> str:
        for function in (jit._digest, jit._compiled_in, jit._digest_of_one):
            function.cache_clear()
        return jit._digest(source)

    before = digest()
    (package / "plain.py").write_text("# nothing that is compiled")
    assert digest() == before
    (package / "other.py").write_text("from puzzlemc.mc.jit import cached  # changed\n")
    assert digest() != before


def test_the_cache_key_includes_the_compiler_options() -> None:
    sources = set(jit._compiled_in(Path(positions.__file__).parent))
    assert sources >= {Path(positions.__file__)}
    assert sources < set(Path(positions.__file__).parent.rglob("*.py"))
