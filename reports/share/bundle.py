"""One script out of modules of JavaScript, for a page that loads no files.

A module may only import names from other modules, `import { a, b } from "./x.js"`, and export functions, classes
and constants where they are defined. Modules are known by the last part of their paths.
"""

import re
from collections.abc import Mapping

IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "[\w./-]*?([\w-]+)\.js"$', re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?function\*? |const |class )(\w+)", re.MULTILINE)
OTHER = re.compile(r"^(?:import|export)\b.*|<!--|</?script", re.MULTILINE | re.IGNORECASE)


def bundle(modules: Mapping[str, str], *entries: str) -> str:
    """The script that defines a constant for each entry and each module that entries need, with its exports.

    modules  names, without `.js`, and texts. The constant of `x` is `module_x`

    Raises ValueError for a module that has other imports or exports, and KeyError for one that is not there.
    """
    done: dict[str, str] = {}
    for entry in entries:
        _add(modules, entry, done, ())
    return "\n".join(done.values())


def _add(modules: Mapping[str, str], name: str, done: dict[str, str], above: tuple[str, ...]) -> None:
    """Add a module after those that it imports."""
    if name in above:
        raise ValueError(f"{name}.js imports itself, by {', '.join(above)}")
    if name in done:
        return
    text = modules[name]
    for imported in IMPORT.finditer(text):
        _add(modules, imported[2], done, (*above, name))
    exports = [found[2] for found in EXPORT.finditer(text)]
    text = EXPORT.sub(r"\1\2", IMPORT.sub(r"const { \1 } = module_\2", text))
    if wrong := OTHER.search(text):
        raise ValueError(f"{name}.js: found {wrong[0]!r}, expected plain imports and exports")
    returned = f"return {{ {', '.join(exports)} }}"
    done[name] = f"const module_{name} = (() => {{\n{text.rstrip()}\n{returned}\n}})()"
