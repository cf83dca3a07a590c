"""Equal paths of a page are written once."""

import re

from puzzlemc.reports.page.html import shared

LONG = "M0 0h1v1h-1zM2 0h1v1h-1zM4 0h1v1h-1zM6 0h1v1h-1z"
PATH = f'<path fill="#a0b1c2" d="{LONG}"/>'


def test_the_first_of_equal_paths_has_a_name_and_the_others_refer_to_it() -> None:
    page = f"<svg>{PATH}</svg><svg>{PATH}</svg><svg><g>{PATH}</g></svg>"
    use = '<use href="#path-0"/>'
    first = PATH.replace("<path", '<path id="path-0"')
    assert shared(page) == f"<svg>{first}</svg><svg>{use}</svg><svg><g>{use}</g></svg>"


def test_nothing_is_lost() -> None:
    other = PATH.replace("#a0b1c2", "#000000")
    named = f'<path class="c-wall" d="{LONG}"/>'
    page = "".join(f"<svg>{path}</svg>" for path in (PATH, other, named, PATH, named, other))
    made = shared(page)
    paths = dict(re.findall(r'<path id="([^"]*)" ([^>]*>)', made))
    assert len(paths) == 3
    restored = re.sub(r'<use href="#([^"]*)"/>', lambda use: f"<path {paths[use[1]]}", made)
    assert re.sub(r' id="[^"]*"', "", restored) == page


def test_single_paths_short_ones_and_strings_of_scripts_stay() -> None:
    short = '<path fill="#a0b1c2" d="M0 0h1v1h-1z"/>'
    script = f"<script>{PATH}{PATH}</script>".replace('"', '\\"')
    assert shared(f"{PATH}{short}{short}{script}") == f"{PATH}{short}{short}{script}"
