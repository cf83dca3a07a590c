"""How puzzlemc is installed, and how this one was: a message can name the command that adds what is missing.

No package index has puzzlemc: each command takes it from a folder, a wheel or a repository. pip keeps where a
package came from in `direct_url.json` (PEP 610). There is none if pip found the wheel, as with `--find-links`.
"""

from collections.abc import Mapping, Sequence
from typing import Any

REPOSITORY = "https://HOST/OWNER/puzzlemc"  # in documents: where the reader clones it from


def adding(extra: str) -> str:
    """The command that adds an extra to this installation, such as `pip install '/home/me/puzzlemc[cluster]'`."""
    import json  # only for a message: most runs need none of these
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        found = distribution("puzzlemc")
    except PackageNotFoundError:  # a tree on the path
        return f"{command([from_folder('.', extra)])} in a clone of puzzlemc"
    text = found.read_text("direct_url.json")
    if text is None:
        return command(_packages(found.requires or (), extra))
    return adding_to(json.loads(text), extra)


def adding_to(origin: Mapping[str, Any], extra: str) -> str:
    """The command that adds an extra to a package of an origin as in PEP 610."""
    from urllib.parse import unquote, urlsplit

    url = str(origin["url"])
    if (folder := origin.get("dir_info")) is not None:
        wanted = from_folder(unquote(urlsplit(url).path), extra)
        return command(["-e", wanted] if folder.get("editable") else [wanted])
    if (version := origin.get("vcs_info")) is not None:
        return command([from_repository(url, version["commit_id"], extra, version["vcs"])])
    return command([_at(url, extra)])


def command(words: Sequence[str]) -> str:
    """The command of a shell by which pip installs these."""
    from shlex import join

    return f"pip install {join(words)}"


def from_folder(path: str, extra: str = "") -> str:
    """What pip takes from a folder, or from a wheel by its path, such as `.[cluster]`."""
    return f"{path}[{extra}]" if extra else path


def from_repository(url: str, revision: str = "", extra: str = "", system: str = "git") -> str:
    """What pip takes from a repository, such as `puzzlemc[cluster] @ git+https://…/puzzlemc@v0.1.0`.

    revision  a tag, a branch or a commit; empty for the newest commit
    """
    return _at(f"{system}+{url}{'@' if revision else ''}{revision}", extra)


def _at(url: str, extra: str) -> str:
    return f"{from_folder('puzzlemc', extra)} @ {url}"


def _packages(requirements: Sequence[str], extra: str) -> list[str]:
    """What an extra requires: the packages themselves, which do not depend on where puzzlemc came from."""
    split = (requirement.partition(";") for requirement in requirements)
    return [name.strip() for name, _, marker in split if f"extra == '{extra}'" in marker.replace('"', "'")]
