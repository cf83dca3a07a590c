"""Runs the notebooks of the tutorial and stores their output: `python tools/run_notebooks.py [FILE…]`.

Cells are executed one after the other in this process, in a folder of their own: no kernel is needed. The output
of a cell is what it prints, and its last line, if that is an expression whose value has a picture.
"""

import ast
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

TUTORIAL = Path(__file__).parents[1] / "docs" / "tutorial"


class Shown(NamedTuple):
    """What a cell prints, and its picture as HTML with the words for it; both empty without one."""

    text: str
    picture: str
    words: str


def outputs(notebook: dict[str, Any]) -> Iterator[Shown]:
    """What each cell of code shows, in the current folder."""
    names: dict[str, object] = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            tree = ast.parse("".join(cell["source"]))
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            with redirect_stdout(StringIO()) as printed:
                exec(compile(tree, "cell", "exec"), names)
                value = None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)
            draw = getattr(value, "_repr_html_", None)
            yield Shown(printed.getvalue(), *(("", "") if draw is None else (draw(), repr(value))))


def stored(shown: Shown, number: int) -> list[dict[str, Any]]:
    """The outputs of the cell of that number, as notebooks have them."""
    found: list[dict[str, Any]] = []
    if shown.text:
        lines = shown.text.splitlines(keepends=True)
        found.append({"name": "stdout", "output_type": "stream", "text": lines})
    if shown.picture:
        data = {"text/html": [shown.picture], "text/plain": [shown.words]}
        found.append({"output_type": "execute_result", "execution_count": number, "data": data, "metadata": {}})
    return found


def main() -> None:
    """Run notebooks, and write them with the new output."""
    chosen = [Path(each).absolute() for each in sys.argv[1:]]
    for path in chosen or sorted(TUTORIAL.glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        with tempfile.TemporaryDirectory() as folder, chdir(folder):
            for number, (cell, shown) in enumerate(zip(code, outputs(notebook), strict=True), 1):
                cell["execution_count"], cell["outputs"] = number, stored(shown, number)
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(os.path.relpath(path))


if __name__ == "__main__":
    main()
