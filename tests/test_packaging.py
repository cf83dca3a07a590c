"""The wheel is complete, the folder `encodings` is harmless, and `mc` names no puzzle."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.version import Version
from setuptools_scm import get_version
from twine.commands.check import check

from puzzlemc.encodings.puzzles import puzzles

ROOT = Path(__file__).parents[1]
FOLDERS = ("mc", "screens", "encodings", "reports")
MODULES = sorted(path.relative_to(ROOT) for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


def files(folder: Path) -> set[str]:
    """Return the files below a folder, except Python's caches and compiled modules."""
    paths = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file() and path.suffix != ".so")
    return {path.as_posix() for path in paths if "__pycache__" not in path.parts}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the sdist and the wheel of a copy of the project: the build leaves no files in the project.

    What the installation has translated to C and compiled is taken over: to make it again takes minutes. Headers
    keep their times, because C code that is older than a header is made again.
    """
    copy = tmp_path_factory.mktemp("copy")
    library = copy / f"build/lib.{sysconfig.get_platform()}-{sys.implementation.cache_tag}" / "puzzlemc"
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("*.so"))
        cache = copy / folder / "__pycache__"
        cache.mkdir(exist_ok=True)
        (cache / "gone.cpython-311.pyc").touch()
        for module in (ROOT / folder).rglob("*.so"):
            target = library / module.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(module, target)
    for made in ("build/c", "build/tree"):
        if (ROOT / made).is_dir():
            shutil.copytree(ROOT / made, copy / made, symlinks=True)
    shutil.copytree(ROOT / "shell", copy / "shell")
    (copy / "tools").mkdir()
    for name in ("headers.py", "kernels.py"):
        shutil.copy(ROOT / "tools" / name, copy / "tools")
    for name in ("setup.py", "setup.cfg", "pyproject.toml", "MANIFEST.in", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    build = [sys.executable, "-m", "build", "--sdist", "--wheel", "--no-isolation", "--outdir", "dist", "."]
    environment = os.environ | {"SETUPTOOLS_SCM_PRETEND_VERSION": "9.8.7"}
    done = subprocess.run(build, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return copy / "dist"


@pytest.mark.timeout(900)
def test_the_wheel_is_complete(built: Path) -> None:
    """It has every file, every compiled module, the command, the man page, and nothing else."""
    (path,) = built.glob("puzzlemc-9.8.7-*.whl")
    wheel = zipfile.ZipFile(path)
    sources = [path for folder in ("mc", "encodings") for path in (ROOT / folder).rglob("*.py")]
    imports = [path for path in sources if "\nimport cython\n" in path.read_text(encoding="utf-8")]
    modules = {path.relative_to(ROOT).with_suffix("") for path in imports} | {Path("mc/shared_code")}
    compiled = {f"puzzlemc/{module.as_posix()}{sysconfig.get_config_var('EXT_SUFFIX')}" for module in modules}
    expected = {f"puzzlemc/{folder}/{name}" for folder in FOLDERS for name in files(ROOT / folder)}
    expected |= {f"puzzlemc/{name}" for name in files(ROOT / "reports" / "public")}
    assert "puzzlemc/py.typed" in expected
    names = set(wheel.namelist())
    shared = {name.partition(".data/data/share/")[2] for name in names if ".data/data/share/" in name}
    assert shared == {
        "man/man1/puzzlemc.1",
        "bash-completion/completions/puzzlemc",
        "zsh/site-functions/_puzzlemc",
        "fish/vendor_completions.d/puzzlemc.fish",
    }
    code = {name for name in names if ".dist-info/" not in name and ".data/" not in name}
    assert code == expected | compiled
    (name,) = (name for name in names if name.endswith(".dist-info/entry_points.txt"))
    assert "puzzlemc = puzzlemc.reports.cli.start:main" in wheel.read(name).decode().splitlines()


def test_the_sdist_has_what_a_build_needs_and_nothing_made(built: Path) -> None:
    (path,) = built.glob("puzzlemc-9.8.7.tar.gz")
    with tarfile.open(path) as archive:
        names = {each.name.partition("/")[2] for each in archive.getmembers() if each.isfile()}
    sources = {f"{folder}/{name}" for folder in FOLDERS for name in files(ROOT / folder)}
    shell = {f"shell/{name}" for name in files(ROOT / "shell")}
    head = {"setup.py", "setup.cfg", "pyproject.toml", "README.md", "LICENSE", "PKG-INFO", "MANIFEST.in"} | {
        "tools/headers.py",
        "tools/kernels.py",
    }
    assert names >= sources | shell | head
    made = re.compile(r"\.(so|py[cod]|c|o|html)$|(^|/)(__pycache__|build|dist|\.venv|\.git|\.ci)/")
    assert {name for name in names if made.search(name)} - sources == set()


def test_the_wheel_installs_and_its_command_runs_compiled(built: Path, tmp_path: Path) -> None:
    (wheel,), site = built.glob("*.whl"), tmp_path / "site"
    environment = os.environ | {"PYTHONPATH": str(site)}

    def run(*command: str | Path) -> str:
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    install = (sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--no-compile")
    run(*install, "--target", site, wheel)
    levels = site / "puzzlemc/screens/levels/sokoban/first_steps.xsb"
    assert "\n  R\n" in run(site / "bin/puzzlemc", "solve", f"{levels}#1")
    where = run(sys.executable, "-c", "import puzzlemc.mc.astar.search as search; print(search.__file__)")
    assert Path(where.strip()).parent == site / "puzzlemc/mc/astar"
    assert where.strip().endswith(".so")


def test_an_index_accepts_both(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert not check([str(path) for path in built.iterdir()], strict=True), capsys.readouterr().out
    assert len(list(built.iterdir())) == 2


def test_the_version_is_that_of_the_last_tag(tmp_path: Path) -> None:
    """In a tree without git, in a clone without tags, at a tag, after it, and in an sdist."""

    def git(*words: str) -> None:
        names = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
        subprocess.run(["git", *names, *words], cwd=tmp_path, check=True, capture_output=True)

    def known() -> str:
        return get_version(str(tmp_path), **settings)

    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    settings = tomllib.loads(project)["tool"]["setuptools_scm"]
    (tmp_path / "pyproject.toml").write_text(project)
    assert known() == "0.1.0.dev0"
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    assert Version(known()) < Version("0.1.0")
    git("tag", "v0.7.0")
    assert known() == "0.7.0"
    git("commit", "-qm", "two", "--allow-empty")
    assert Version("0.7.0") < Version(known()) < Version("0.7.1")
    shutil.rmtree(tmp_path / ".git")
    (tmp_path / "PKG-INFO").write_text("Metadata-Version: 2.4\nName: puzzlemc\nVersion: 0.6.5\n")
    assert known() == "0.6.5"


def test_the_citation_is_of_the_newest_version_of_the_changes() -> None:
    fields = dict(
        re.findall(r"^([a-z-]+): *(.*)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    )
    changes = re.search(
        r"^## .*?(\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert changes is not None
    assert fields["version"] == changes[1]
    assert fields["license"] == "MIT"
    assert fields.keys() >= {"cff-version", "message", "title", "authors"}


def test_root_on_the_python_path_is_harmless() -> None:
    program = """
import os, encodings.utf_8, puzzlemc.encodings
assert os.path.samefile(encodings.__path__[0], os.path.join(os.path.dirname(os.__file__), "encodings"))
assert os.path.samefile(puzzlemc.encodings.__path__[0], os.environ["FOLDER"])
"""
    environment = os.environ | {"PYTHONPATH": str(ROOT), "FOLDER": str(ROOT / "encodings")}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_encodings_is_no_regular_package() -> None:
    assert not (ROOT / "encodings" / "__init__.py").exists()


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_folder_has_modules(folder: str) -> None:
    assert [path for path in MODULES if path.parts[0] == folder and path.name != "__init__.py"]


def test_no_code_is_compiled_at_run_time() -> None:
    imports = re.compile(r"^\s*(?:import|from) (?:numba|llvmlite)\b", re.MULTILINE)
    assert [str(path) for path in MODULES if imports.search((ROOT / path).read_text(encoding="utf-8"))] == []


# Words that leave open which number, or what is said to whom.
VAGUE_WORDS = re.compile(r"(?<![a-z])(?:so (?:many|much)|told)(?![a-z])", re.IGNORECASE)
STORED = Path("reports", "batch", "sql.py")  # a column of stored files has this name


@pytest.mark.parametrize("folder", [*FOLDERS, "benchmarks", "tools"])
def test_numbers_and_what_is_said_have_names(folder: str) -> None:
    paths = [path for path in sorted((ROOT / folder).rglob("*.py")) if path.relative_to(ROOT) != STORED]
    lines = ((path, each) for path in paths for each in path.read_text(encoding="utf-8").splitlines())
    assert [f"{path}: {line}" for path, line in lines if VAGUE_WORDS.search(line)] == []


# Names of puzzles and of their objects. Words of models are not listed: object, place, walk, step, target.
PUZZLE_WORDS = re.compile(
    rf"(?<![a-z])(?:{'|'.join(puzzles())}|fabrik|factorio|players?|boxe?s?|push(?:es|ed|ing)?|tiles?|boards?|squares?"
    r"|colou?rs?|pens?|belts?|mazes?)(?![a-z])",
    re.IGNORECASE,
)


@pytest.mark.parametrize("path", [path for path in MODULES if path.parts[0] == "mc"], ids=str)
def test_the_model_checker_names_no_puzzle(path: Path) -> None:
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    assert [f"{number}: {line}" for number, line in enumerate(lines, 1) if PUZZLE_WORDS.search(line)] == []


@pytest.mark.parametrize("line", ["under `pushes`", "_PLAYER = 1", "box_squares(", "in Sokoban (Smith 2000)"])
def test_words_of_puzzles_are_detected(line: str) -> None:
    assert PUZZLE_WORDS.search(line)
    assert not PUZZLE_WORDS.search("heappush(queue, boxed) # the level's opens")
