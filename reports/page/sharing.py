"""Equal paths of a page, written once: small pixels of sprites are most of a page with many boards of a level."""

import re
from collections import Counter

PATH = re.compile(r'<path (?P<rest>(?:fill="#[0-9a-f]{6}"|class="c-[^"]*") d="[^"]{40,}"/>)')


def shared(page: str) -> str:
    """The page with one element for equal paths that fill areas of boards; the others refer to it.

    A path inherits from where it is referred to, so it looks as before. Text inside scripts is not changed: there
    quotes are escaped.
    """
    counts = Counter(match["rest"] for match in PATH.finditer(page))
    names = {rest: f"path-{number}" for number, (rest, count) in enumerate(counts.items()) if count > 1}
    written = set[str]()

    def element(match: re.Match[str]) -> str:
        rest = match["rest"]
        if rest not in names:
            return match[0]
        if rest in written:
            return f'<use href="#{names[rest]}"/>'
        written.add(rest)
        return f'<path id="{names[rest]}" {rest}'

    return PATH.sub(element, page)
