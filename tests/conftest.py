import gc
import hashlib
import os
import shutil
import signal
from collections.abc import Generator, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from command import start_server
from hypothesis import HealthCheck, settings

from puzzlemc.mc.system.signals import HANG_UP

# A program that a script starts in the background ignores Ctrl-C, and one under `nohup` ignores SIGHUP. Their
# child processes inherit this, and tests send both signals.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# A child process that a fault in compiled code ends shows where it was.
os.environ["PYTHONFAULTHANDLER"] = "1"

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
NO_PARAMETERS = SimpleNamespace(params={})
FIREFOX = ("firefox-esr", "firefox")
HERE = Path(__file__).parent

# Each run of the same code has the same examples, on any machine. Their time and the share of filtered ones are
# not errors: Hypothesis takes constants from the sources of all loaded modules, so both vary.
# To find new examples:
#     .venv/bin/pytest --hypothesis-profile=explore
# `hunt` has more examples than `default`; a test has other numbers if it says so by `examples`.
for profile, most in (("default", 30), ("hunt", 150)):
    settings.register_profile(
        profile,
        max_examples=most,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
settings.register_profile("explore", deadline=None, max_examples=2000)
settings.load_profile("default")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the garbage collector from what stays until the end: thousands of tests, their modules and libraries.

    It would go through them for half a second each time. Later it starts less often: that took a tenth of the time
    of the tests that run in this process.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000)
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let a test that failed in a browser run once more: on a busy machine, browsers draw late.

    Where the system does not tell that a terminal was closed, the tests of that are skipped.

    Where several processes share the tests, their files come in a mixed order, always the same one. In the order
    of folders, all that wait for a browser, a terminal or a clock stood together and were left for the end, when
    nothing else ran.

    Tests beside this file begin first: they build, install, and run what documents say. Single ones take longest,
    and would go on alone when all others have ended.
    """
    if os.environ.get("PYTEST_XDIST_WORKER"):
        items.sort(key=lambda item: hashlib.sha256(str(item.path.relative_to(HERE)).encode()).digest())
    items.sort(key=lambda item: item.path.parent != HERE)
    for item in items:
        values = getattr(item, "callspec", NO_PARAMETERS).params.values()
        if HANG_UP is None and any(value is signal.SIGHUP for value in values):
            item.add_marker(pytest.mark.skip(reason="this system has no signal for a terminal that closes"))
        if {"browser", "any_browser", "firefox"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session", autouse=True)
def _server_of_workers() -> None:
    """Start the process that forks workers as `command` does, before a test of functions of the program starts it.

    Otherwise it would have loaded less, and each worker of all later tests would import the rest for a second.
    """
    start_server()


@pytest.fixture(scope="session")
def corpus() -> Path:
    """Return the folder of third-party levels, beside the repository."""
    folder = Path(__file__).parents[2] / "shared" / "levels"
    if not folder.is_dir():
        pytest.skip(f"the corpus of levels is not here: {folder}")
    return folder


@pytest.fixture(scope="module")
def deadlocks() -> Iterator[Any]:
    """The benchmark that judges the rules of Sokoban, and generates unusual random levels."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[1] / "benchmarks"))
        yield import_module("deadlocks")


@pytest.fixture(scope="session")
def driver() -> Iterator[Any]:
    """The driver of browsers, if it is installed."""
    with pytest.importorskip("playwright.sync_api").sync_playwright() as found:
        yield found


@pytest.fixture(scope="session")
def browser(driver: Any) -> Iterator[Any]:
    """Headless Chromium, if it is installed.

    Without the parts that windows need, it opens a page in two fifths of the processor time.
    """
    program = installed(CHROMIUM)
    opened = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def firefox(driver: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Headless Firefox, if it is installed: as its makers build it, driven by WebDriver BiDi."""
    program = installed(FIREFOX)
    downloads = {
        "browser.download.folderList": 2,
        "browser.download.dir": str(tmp_path_factory.mktemp("downloads")),
    }
    opened = driver.firefox.launch(
        channel="moz-firefox", executable_path=program, timeout=60_000, firefox_user_prefs=downloads
    )
    yield opened
    opened.close()


def installed(names: Iterable[str]) -> str:
    """The first of some programs that is on the PATH; the test skips without one."""
    program = next(filter(None, map(shutil.which, names)), None)
    if program is None:
        pytest.skip(f"there is no {next(iter(names))} on the PATH")
    return program


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page without a network; every message on its console is an error."""
    context = browser.new_context(offline=True, reduced_motion="reduce")
    opened = context.new_page()
    said: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(error.stack or str(error)))
    yield opened
    context.close()
    assert said == []
