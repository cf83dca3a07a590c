"""Runs the notebooks of the tutorial and stores their output: `python tools/run_notebooks.py [FILE…]`.

Cells are executed one after the other in this process: their output is text, and no kernel is needed.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

TUTORIAL = Path(__file__).parents[1] / "docs" / "tutorial"


def outputs(notebook: dict[str, Any]) -> Iterator[str]:
    """What each cell of code prints."""
    names: dict[str, object] = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            with redirect_stdout(StringIO()) as printed:
                exec("".join(cell["source"]), names)
            yield printed.getvalue()


def main() -> None:
    """Run notebooks, and write them with the new output."""
    for path in map(Path, sys.argv[1:]) if sys.argv[1:] else sorted(TUTORIAL.glob("*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        for number, (cell, text) in enumerate(zip(code, outputs(notebook), strict=True), 1):
            stream = {"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}
            cell["execution_count"], cell["outputs"] = number, [stream] if text else []
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(path)


if __name__ == "__main__":
    main()
