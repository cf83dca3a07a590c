from pathlib import Path

import pytest
from hypothesis import settings

from puzzlemc.encodings import tetravex_search
from puzzlemc.mc import graph_kernel, jit, kernel, warm_up

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


@pytest.fixture(scope="session", autouse=True)
def _compiled_code() -> None:
    """Load the compiled code, and compile it where that is due: no test with a time limit shall pay for it."""
    jit.compile_now(warm_up.searches, kernel.__name__)
    jit.compile_now(warm_up.graphs, graph_kernel.__name__)
    jit.compile_now(tetravex_search.warm_up, tetravex_search.__name__)
