from collections.abc import Iterator
from typing import Any

import pytest
from workbench import served, shown


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a server without a collection."""
    with served() as where:
        yield where


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """The page; every message on its console is an error."""
    with shown(browser, address) as opened:
        yield opened
