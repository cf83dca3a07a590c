"""Whole days of people who work with the page, in Chromium and in Firefox."""

from typing import Any

import pytest
from workbench import paint, says, served, shown


@pytest.fixture(params=["browser", "firefox"])
def any_browser(request: pytest.FixtureRequest) -> Any:
    """Each browser that is installed."""
    return request.getfixturevalue(request.param)


def test_a_wall_is_drawn_and_taken_back(any_browser: Any) -> None:
    with served() as address, shown(any_browser, address) as page:
        says(page, "5 pushes")
        paint(page, 2, 2)
        says(page, "was 5 pushes")
        page.keyboard.press("Control+z")
        says(page, "5 pushes · the least, checked")
