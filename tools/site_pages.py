"""What the documentation site has beside `docs/*.md`, a hook of MkDocs.

Pages are made of the command line's parser, of the public names of the package, of notebooks, of CHANGELOG.md and
CONTRIBUTING.md. A link to a file outside `docs` becomes a link to a page with the text of that file.
"""

import json
import posixpath
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from mkdocs.structure.files import File, Files

import puzzlemc
from puzzlemc.reports.cli.app import COMMANDS, app
from puzzlemc.reports.output import look

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"(?<=\]\()(?![a-z]+:)([^)#\s]+)(?=[)#])")
PAGES = {"CHANGELOG.md": "changes.md", "CONTRIBUTING.md": "contributing.md", "README.md": "index.md"}
LANGUAGES = {".py": "python", ".yml": "yaml", ".yaml": "yaml", ".json": "json"}


def on_startup(**_: Any) -> None:
    """Link all packages into a folder, where mkdocstrings reads them: it does not follow an editable install."""
    sources = ROOT / "build" / "sources"
    shutil.rmtree(sources, ignore_errors=True)
    (sources / "puzzlemc" / "encodings").mkdir(parents=True)
    (sources / "puzzlemc" / "encodings" / "__init__.py").touch()
    for path in (ROOT / "encodings").iterdir():
        (sources / "puzzlemc" / "encodings" / path.name).symlink_to(path)
    for name in ("mc", "reports", "screens", "reports/public/__init__.py"):
        (sources / "puzzlemc" / Path(name).name).symlink_to(ROOT / name)


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are made."""
    made = {
        "reference/commands.md": commands(),
        "reference/api.md": public_names(),
        **{page: (ROOT / name).read_text(encoding="utf-8") for name, page in PAGES.items() if name != "README.md"},
    }
    for path in sorted((ROOT / "docs" / "tutorial").glob("*.ipynb")):
        made[f"tutorial/{path.stem}.md"] = session(json.loads(path.read_text(encoding="utf-8")), path.name)
    texts = {file.src_uri: file.content_string for file in files.documentation_pages()} | made
    for uri, text in texts.items():
        for target in LINK.findall(text):
            path = outside(uri, target)
            if path and path not in PAGES and (ROOT / path).exists():
                made[source_page(path)] = source(path)
    made |= {"pictures/colours.css": colours(), "pictures/icon.svg": look.mark()}
    for uri, text in made.items():
        files.append(File.generated(config, uri, content=text))
    return files


def colours() -> str:
    """The colours of the program's own pages, for the schemes of the site's theme."""
    schemes = ((0, "default", "accent"), (1, "slate", "card"))
    return "".join(
        f"[data-md-color-scheme={scheme}]{{"
        f"--md-primary-fg-color:{look.COLOURS[bar][which]};--md-accent-fg-color:{look.COLOURS['accent'][which]};"
        f"--md-typeset-a-color:{look.COLOURS['accent'][which]};--md-default-bg-color:{look.COLOURS['page'][which]};"
        f"--md-default-fg-color:{look.COLOURS['text'][which]}}}\n"
        for which, scheme, bar in schemes
    )


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Lead links to files outside `docs`, and to notebooks, to their pages."""
    uri = page.file.src_uri

    def led(match: re.Match[str]) -> str:
        target = match[1]
        path = outside(uri, target)
        if path:
            return posixpath.relpath(PAGES.get(path) or source_page(path), posixpath.dirname(uri) or ".")
        if uri in PAGES.values() and target.startswith("docs/"):  # a file of the root has become a page
            target = target.removeprefix("docs/")
        return target.removesuffix(".ipynb") + ".md" if target.endswith(".ipynb") and "(" not in target else target

    return markdown if uri.startswith("source/") else LINK.sub(led, markdown)


def outside(uri: str, target: str) -> str | None:
    """The path from the root of the project of a linked file that is not in `docs`."""
    at = "" if uri in PAGES.values() and uri != "index.md" else f"docs/{posixpath.dirname(uri)}"
    path = posixpath.normpath(posixpath.join(at, target))
    return None if path.startswith("docs/") else path


def source_page(path: str) -> str:
    """The page with the text of a file, or with the list of a folder."""
    return f"source/{path}.md"


def source(path: str) -> str:
    """The text of that page."""
    at = ROOT / path
    if at.is_dir():
        names = sorted(each.name for each in at.iterdir() if each.is_file())
        return f"# {path}\n\nThe files of this folder:\n\n" + "".join(f"- `{name}`\n" for name in names)
    text = at.read_text(encoding="utf-8")
    return f"# {path}\n\n````{LANGUAGES.get(at.suffix, 'text')}\n{text.rstrip()}\n````\n"


def session(notebook: dict[str, Any], name: str) -> str:
    """A notebook as a page: its texts, its code, and the output of the code."""
    parts = []
    for cell in notebook["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
            continue
        parts.append(f"```python\n{text}\n```")
        shown = "".join("".join(each.get("text", ())) for each in cell["outputs"])
        if shown:
            parts.append(f"```text\n{shown.rstrip()}\n```")
        parts += ["".join(each["data"]["text/html"]) for each in cell["outputs"] if "data" in each]
    parts.append(f"The notebook itself is `docs/tutorial/{name}`.")
    return "\n\n".join(parts) + "\n"


def public_names() -> str:
    """The reference of all names of `import puzzlemc`."""
    kinds: dict[str, list[str]] = {"Functions": [], "Classes": [], "Errors": []}
    for name in puzzlemc.__all__:
        value = getattr(puzzlemc, name)
        error = isinstance(value, type) and issubclass(value, Exception)
        kinds["Errors" if error else "Classes" if isinstance(value, type) else "Functions"].append(
            f"::: {value.__module__}.{name}\n"
        )
    opening = (
        "# Python in full\n\nAll names of `import puzzlemc`. [Python in examples](../api.md) shows their use.\n"
    )
    return "\n".join([opening, *(f"## {kind}\n\n" + "\n".join(names) for kind, names in kinds.items())])


def commands() -> str:
    """The reference of all commands, from the parser."""
    program = typer.main.get_command(app)
    parts = [
        "# Commands",
        "Written from the program's own parser. `puzzlemc COMMAND -h` shows the same. [Output and exit codes]"
        "(output.md) are the same for most commands.",
    ]
    for group in dict.fromkeys(each.group for each in COMMANDS.values()):
        for name, listed in COMMANDS.items():
            if listed.group == group:
                parts += command(name, program.commands[name])  # type: ignore[attr-defined]
    return "\n\n".join(parts) + "\n"


def command(name: str, found: Any) -> Iterator[str]:
    """One command: what it does, how it is called, its arguments and options, examples."""
    yield f"## {name}"
    yield escaped(" ".join(found.help.split("\f")[0].split()))
    arguments = [each for each in found.params if each.param_type_name == "argument"]
    words = " ".join(each.metavar for each in arguments)
    yield f"```text\npuzzlemc {name} [OPTIONS] {words}".rstrip() + "\n```"
    panels: dict[str, list[Any]] = {}
    for each in found.params:
        if not getattr(each, "hidden", False):
            panels.setdefault(getattr(each, "rich_help_panel", None) or "Arguments", []).append(each)
    for panel, each_of in panels.items():
        yield f"**{panel}**"
        yield "\n".join(["| | | default |", "|---|---|---|", *map(row, each_of)])
    yield "```text\n" + "\n".join(line.strip() for line in found.epilog.strip().splitlines()) + "\n```"


def row(param: Any) -> str:
    """A parameter, what it means, its default."""
    argument = param.param_type_name == "argument"
    names = [] if argument else [*param.opts, *param.secondary_opts]
    value = "" if getattr(param, "is_flag", False) else param.metavar
    shown = param.show_default if isinstance(param.show_default, str) else None
    if shown is None and param.default not in (None, False, True, ()) and not callable(param.default):
        shown = str(param.default)
    label = ", ".join(names) + (f" {value}" if names and value else value)
    return f"| `{label}` | {escaped(param.help or '')} | {escaped(shown or '')} |"


def escaped(text: str) -> str:
    """A text in a table of Markdown."""
    return re.sub(r"([|*_<\[])", r"\\\1", " ".join(text.split()))
