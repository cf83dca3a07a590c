"""The look that all pages share: the workbench, reports, pages that are shared, and the documentation's site.

Each colour of a page has a name and two values, for light pages and for dark ones. `look.css` says how the
elements look that all pages have, and `mark.svg` is the mark of the program.
"""

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

COLOURS: Mapping[str, tuple[str, str]] = {
    "page": ("#f7f8fa", "#14171c"),
    "card": ("#ffffff", "#1c2027"),
    "press": ("#eef1f5", "#262c35"),
    "edge": ("#d6dce4", "#363e4a"),
    "text": ("#16191d", "#e7eaef"),
    "soft": ("#5a6370", "#a0aab8"),
    "accent": ("#1f5fbf", "#6ba6f8"),
    "on-accent": ("#ffffff", "#0d1117"),
    "good": ("#1d7a43", "#5fcf8d"),
    "bad": ("#b3261e", "#ff8a80"),
    "warn": ("#8a5a00", "#f0b95a"),
    "lost": ("#b3261e1f", "#ff8a8028"),
    "heat": ("#4f9bea", "#2a6cc9"),
    "live": ("#9cb8d9", "#4f74a0"),
    "node": ("#7d8894", "#8b96a3"),
}


def variables(colours: Mapping[str, tuple[str, str]] = COLOURS) -> str:
    """The style that gives each colour its value: as the system or the reader chooses, and light in print."""
    light, dark = ("".join(f"--{name}:{both[which]};" for name, both in colours.items()) for which in (0, 1))
    chosen = "".join(
        f':root[data-look="{name}"]{{color-scheme:{name};{values}}}'
        for name, values in (("light", light), ("dark", dark))
    )
    system = f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    return f":root{{{light}}}{system}@media screen{{{chosen}}}"


@cache
def sheet() -> str:
    """The style sheet: the colours, and the elements that all pages have."""
    return f"{variables()}\n{_file('look.css')}"


def mark() -> str:
    """The mark of the program, an SVG file."""
    return _file("mark.svg")


@cache
def icon() -> str:
    """The mark as an address that contains it, for pages that load nothing."""
    return f"data:image/svg+xml;base64,{b64encode(mark().encode()).decode()}"


def _file(name: str) -> str:
    return files("puzzlemc.reports.output").joinpath(name).read_text(encoding="utf-8")
