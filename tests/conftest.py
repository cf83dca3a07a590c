import os
import shutil
import signal
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from puzzlemc.encodings.sokoban.fess.portfolio import plan_finder as fess
from puzzlemc.encodings.sokoban.generate import levels as sokoban
from puzzlemc.encodings.sokoban.generate import positions
from puzzlemc.encodings.sokoban.improve import improvement as improve
from puzzlemc.encodings.sokoban.proof import bidirectional as ends
from puzzlemc.encodings.tetravex import guess
from puzzlemc.mc import jit
from puzzlemc.mc.engines.warm_up import COMPILED, searches
from puzzlemc.mc.graph.warm_up import KERNEL, graphs

# A program that a script starts in the background ignores Ctrl-C, and so does whatever it starts: tests send it.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Every run tries the same examples, however slow the machine. To look for new ones:
#     .venv/bin/pytest --hypothesis-profile=explore
settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("default")


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Return the folder of other people's levels, which stands beside the repository."""
    folder = Path(__file__).parents[2] / "shared" / "levels"
    if not folder.is_dir():
        pytest.skip(f"the corpus of levels is not here: {folder}")
    return folder


@pytest.fixture(scope="module")
def deadlocks() -> Iterator[Any]:
    """The benchmark that judges the rules of Sokoban, and has odd random levels."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[1] / "benchmarks"))
        yield import_module("deadlocks")


@pytest.fixture(scope="session", autouse=True)
def _compiled_code() -> None:
    """Load the compiled code, and compile it where that is due: no test with a time limit shall pay for it."""
    parts = [
        (searches, *COMPILED),
        (graphs, KERNEL),
        (ends.warm_up, *ends.MODULES),
        (improve.warm_up, *improve.MODULES),
        (sokoban.warm_up, positions.__name__),
        (guess.warm_up, guess.__name__),
        (fess.warm_up, *fess.MODULES),
    ]
    if os.environ.get("PYTEST_XDIST_WORKER") == "gw1":  # two at a time
        parts = parts[2:] + parts[:2]
    for part in parts:
        jit.compile_now(*part)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Headless Chromium, where there are the program and what drives it."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        pytest.skip("there is no Chromium on the PATH")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page without a network; whatever its console says is an error."""
    context = browser.new_context(offline=True, reduced_motion="reduce")
    opened = context.new_page()
    said: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    context.close()
    assert said == []


def pytest_runtest_teardown() -> None:
    """List what a test has compiled for types of its own: code on disk that is not listed passes for damaged."""
    jit.seal()
