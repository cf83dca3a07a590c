"""Which texts are problems, and where the domain of a problem is.

A file holds a problem, or a problem and its domain. Otherwise the domain is in the folder of the file: in
`domain.pddl`, if that defines it, or in another file that does, by its name or as the only one. If no file there
does, it is in the parent folder, or else in a folder beside that of the file, if that or its file is called so.
"""

import os
import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from puzzlemc.screens.base.decoded import decoded, normalized
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.reading import is_file, read_bytes
from puzzlemc.screens.pddl.expressions import Source

MOST_BYTES = 1 << 24  # of a file
MOST_FILES = 2000  # of a folder, in which a domain is looked for
MOST_FOLDERS = 50  # beside that of the problem
DOMAIN = "domain"
USUAL = "domain.pddl"
SUFFIX = ".pddl"
HEAD = 1 << 14  # bytes of a file in which its name must stand
_COMMENT = re.compile(r";[^\n]*")
_DEFINE = re.compile(r"\(\s*define\s*\(\s*(domain|problem)\b\s*([^\s()]*)", re.IGNORECASE)
_OF_DOMAIN = re.compile(r"\(\s*:domain\s+([^\s()]*)", re.IGNORECASE)


_chosen: list[Source] = []  # at most one: an option of a command, for all files that it reads


class Definition(NamedTuple):
    """A domain or a problem as text, with its name in lower case."""

    kind: str
    name: str
    source: Source


def definitions(text: str, name: str) -> Iterator[Definition]:
    """Yield the domains and problems of a text, which is the file of that name."""
    bare = _COMMENT.sub(lambda found: " " * len(found[0]), text)
    found = list(_DEFINE.finditer(bare))
    ends = [*(each.start() for each in found[1:]), len(text)]
    for each, end in zip(found, ends, strict=False):
        source = Source(text[each.start() : end].rstrip(), name, 1 + text.count("\n", 0, each.start()))
        yield Definition(each[1].lower(), each[2].lower(), source)


def domain_of(problem: Source) -> tuple[str, int]:
    """The name of the domain that a problem is of, and the offset of that name. Raises LevelError."""
    bare = _COMMENT.sub(lambda found: " " * len(found[0]), problem.text)
    found = _OF_DOMAIN.search(bare)
    if found is None:
        raise problem.error(0, "found no (:domain NAME), expected the name of the domain of this problem")
    return found[1].lower(), found.start(1)


def domain_beside(problem: Source) -> Source:
    """The domain of a problem, in the folder of its file. Raises LevelError."""
    name, at = domain_of(problem)
    if not is_file(problem.name):  # standard input, a pasted text, or a file in an archive
        message = (
            f"found a problem of domain {name!r} alone, expected the domain in the same text, or --domain FILE"
        )
        raise problem.error(at, message)
    folder = os.path.dirname(problem.name)
    parent = os.path.normpath(os.path.join(folder, os.pardir))
    for folders, word in (([folder], ""), ([parent], ""), (_folders(parent), DOMAIN)):
        try:
            matching = [
                path
                for each in folders
                for path in _matching(each, name, problem)
                if word in os.path.relpath(path, parent).lower()  # any other may be that of other problems
            ]
        except LevelError:
            if folders == [folder]:
                raise
            continue  # a folder elsewhere may be large or closed
        if len(matching) > 1:
            matching = [path for path in matching if _belongs(path, problem.name)] or matching
        if len(matching) == 1 and (found := _domain_in(matching[0])) is not None:
            return found.source
        if matching:
            names = ", ".join(os.path.relpath(path, folder or os.curdir) for path in matching[:3])
            found_in = f"found domain {name!r} in {len(matching)} files ({names})"
            raise problem.error(at, f"{found_in}, expected one such file, or --domain FILE")
    message = (
        f"found no domain {name!r} beside this file, expected it in {USUAL}, in the parent folder or one beside,"
        " or --domain FILE"
    )
    raise problem.error(at, message)


def _matching(folder: str, name: str, problem: Source) -> list[str]:
    """The files of a folder that define the domain, only `domain.pddl` if that does. Raises LevelError."""
    usual = os.path.join(folder, USUAL)
    if os.path.isfile(usual) and (found := _domain_in(usual)) is not None and found.name == name:
        return [usual]
    return [
        path
        for path in _files(folder, problem)
        if os.path.basename(path) != USUAL and _begins(path) == ("domain", name)
    ]


def _folders(parent: str) -> list[str]:
    """The folders in a folder; none if there are too many, or it cannot be read."""
    try:
        with os.scandir(parent) as items:
            found = sorted(item.path for item in islice(items, MOST_FILES) if item.is_dir())
    except OSError:
        return []
    return found if len(found) <= MOST_FOLDERS else []


def choose_domain(path: str) -> None:
    """Take the domain of all problems that this process reads from a file. Raises LevelError."""
    found = _domain_in(path)
    if found is None:
        raise LevelError("found no domain, expected (define (domain NAME) …)", source=path)
    _chosen[:] = [found.source]


def chosen_domain() -> Source | None:
    """The domain of all problems, None if each has its own."""
    return _chosen[0] if _chosen else None


def _domain_in(path: str) -> Definition | None:
    """The first domain in a file, None if there is none. Raises LevelError."""
    text = normalized(decoded(read_bytes(path, MOST_BYTES, "a domain"), path))
    return next((each for each in definitions(text, path) if each.kind == "domain"), None)


def _begins(path: str) -> tuple[str, str] | None:
    """The kind and the name of the first definition of a file, None if it has none or cannot be read."""
    try:
        text = read_bytes(path, HEAD, "a domain", whole=False).decode("utf-8", "replace")
    except LevelError:
        return None
    return next(((each.kind, each.name) for each in definitions(text, path)), None)


def _files(folder: str, problem: Source) -> list[str]:
    """The files of a folder that may be domains. Raises LevelError."""
    found = []
    try:
        with os.scandir(folder or ".") as items:
            for number, item in enumerate(items):
                if number == MOST_FILES:
                    message = (
                        f"found more than {MOST_FILES} files beside this one, expected fewer, or --domain FILE"
                    )
                    raise problem.error(0, message)
                if item.name.lower().endswith(SUFFIX) and os.path.isfile(item.path):
                    found.append(os.path.join(folder, item.name))
    except OSError as error:
        raise LevelError(f"cannot be read: {error.strerror}", source=folder) from None
    return sorted(found)


def _belongs(domain: str, problem: str) -> bool:
    """Do the names of the files differ in the words for domain and problem only?"""
    one, other = (
        re.sub(r"domain|problem|prob|task|[-_.]", "", os.path.basename(each)) for each in (domain, problem)
    )
    return one == other
