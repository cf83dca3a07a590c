"""Pages of one file: a template of this folder, the look of all pages, and a script that its digest allows."""

import base64
import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from puzzlemc.reports.output import look
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.share.bundle import bundle

STATIC = ("app/address", "app/html", "app/words", "picture/shapes")  # modules of the workbench
OWN = ("game", "old_link", "player")


def rendered(template: str, *, style: str = "", **content: Any) -> str:
    """The page of a template; `style` is added to the look of all pages."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=_plain, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["markup"] = Markup
    return environment.from_string(own_text(f"static/{template}")).render(
        look=f"{look.sheet()}\n{style}", icon=look.icon(), **content
    )


def _plain(value: object) -> object:
    """Texts without control characters; `Markup` is unchanged."""
    return plain(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def scripts(more: Mapping[str, str], entries: Sequence[str]) -> str:
    """The script of modules: those that entries need, of the workbench, this folder and `more`, by their names."""
    static = files("puzzlemc.reports.serve").joinpath("static")
    known = {name.rpartition("/")[2]: static.joinpath(f"{name}.js").read_text("utf-8") for name in STATIC}
    known |= {name: own_text(f"static/{name}.js") for name in OWN}
    return bundle(known | dict(more), *entries)


def in_html(data: object) -> str:
    """JSON of ASCII characters without markup, as the text of an element of a page."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def policy(script: str) -> str:
    """The policy of a page: nothing is loaded, and no other script runs."""
    digest = base64.b64encode(sha256(script.encode()).digest()).decode()
    return "; ".join(
        [
            "default-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            f"script-src 'sha256-{digest}'",
            "style-src 'unsafe-inline'",
            "img-src data:",
        ]
    )


def own_text(name: str) -> str:
    """A file of this folder."""
    return files("puzzlemc.reports.share").joinpath(name).read_text(encoding="utf-8")
