"""How this puzzlemc was installed, so that a message can name the command that adds what is missing.

pip keeps where a package came from in `direct_url.json` (PEP 610); only a package from an index has no such file.
"""

from collections.abc import Mapping
from typing import Any


def adding(extra: str) -> str:
    """The command that adds an extra to this installation, such as `pip install '/home/me/puzzlemc[cluster]'`."""
    import json  # only for a message: most runs need none of these
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        text = distribution("puzzlemc").read_text("direct_url.json")
    except PackageNotFoundError:  # a tree on the path
        text = None
    return command(json.loads(text) if text else {}, extra)


def command(origin: Mapping[str, Any], extra: str) -> str:
    """The command for a package of an origin as in PEP 610, which is empty for one from an index."""
    from shlex import quote
    from urllib.parse import unquote, urlsplit

    named, url = f"puzzlemc[{extra}]", str(origin.get("url", ""))
    folder, version = origin.get("dir_info"), origin.get("vcs_info")
    if folder is not None:
        wanted = f"{unquote(urlsplit(url).path)}[{extra}]"
        return f"pip install {'-e ' if folder.get('editable') else ''}{quote(wanted)}"
    if version is not None:
        url = f"{version['vcs']}+{url}@{version['commit_id']}"
    return f"pip install {quote(f'{named} @ {url}' if url else named)}"
