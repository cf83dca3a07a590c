"""Writes what the page of the workbench needs to know of the puzzles into its static files."""

from pathlib import Path

import msgspec

from puzzlemc.reports.serve.tables import about, palette


def main() -> None:
    """Write both files."""
    static = Path(__file__).parent.parent / "reports" / "serve" / "static"
    (static / "about.json").write_bytes(msgspec.json.encode(about()) + b"\n")
    (static / "palette.css").write_text(palette() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
