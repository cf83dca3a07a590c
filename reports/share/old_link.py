"""The page for an address of a workbench that has ended, which shows the level in its own fragment.

The server never sees the fragment: the script of the page reads it.
"""

from functools import cache
from typing import NamedTuple

from puzzlemc.reports.share.html import policy, rendered, scripts


class OldLink(NamedTuple):
    """The page, and its policy."""

    text: str
    policy: str


@cache
def old_link() -> OldLink:
    """The page for addresses that lead nowhere."""
    script = "\n".join(['"use strict"', scripts({}, ("old_link",)), "module_old_link.start()", ""])
    return OldLink(rendered("old_link.html.jinja", script=script), policy(script))
