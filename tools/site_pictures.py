"""Makes the pictures of the documentation's first pages.

The levels are those of `docs/start.md`. Needs Graphviz and Chromium.
"""

import re
import shutil
import subprocess
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import puzzlemc

ROOT = Path(__file__).parents[1]
HEADING = "All states"


def make(pictures: Path) -> None:
    """Draw the solution, photograph the report, draw the folders, into a folder."""
    text = re.search(r'title="room.xsb"\n(.*?)```', (ROOT / "docs" / "start.md").read_text("utf-8"), re.DOTALL)
    assert text is not None
    with tempfile.TemporaryDirectory() as folder:
        levels = Path(folder) / "room.xsb"
        levels.write_text(text[1], encoding="utf-8")
        program = shutil.which("puzzlemc") or str(ROOT / ".venv" / "bin" / "puzzlemc")
        picture = pictures / "start_solution.svg"
        subprocess.run(
            [program, "solve", f"{levels}#1", "--format", "svg", "-o", picture], check=True, capture_output=True
        )
        picture.write_text(picture.read_text("utf-8").replace(f"{levels}#1", "room.xsb#1"), encoding="utf-8")
        page = Path(folder) / "report.html"
        puzzlemc.report(f"{levels}#1", page)
        photograph(page, pictures / "start_report.png")
    subprocess.run(["dot", "-Tsvg", ROOT / "docs" / "rooms.dot", "-o", pictures / "rooms.svg"], check=True)


def photograph(report: Path, to: Path) -> None:
    """A picture of a part of the report, with few colours, which is small."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1000, "height": 640})
        page.goto(report.as_uri())
        page.get_by_role("heading", name=HEADING).first.evaluate("heading => heading.scrollIntoView()")
        picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
        browser.close()
    picture.quantize(64, dither=Image.Dither.NONE).save(to, optimize=True)
