"""Makes the pictures of the documents: `python tools/pictures.py`; with `--check`, says which are out of date.

A picture is out of date if more than a few pixels of it have changed: times differ from run to run, and fonts
from machine to machine. Needs Graphviz and Chromium.
"""

import re
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import puzzlescript_pictures
import site_pictures
import workbench_pictures
from PIL import Image, ImageChops

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
MOST_CHANGED = 0.005  # share of the pixels
VISIBLE = 40  # of 255: edges of letters differ by less


def main() -> int:
    """Make the pictures, or compare them; returns the exit code."""
    if missing := [name for name in ("chromium", "dot") if shutil.which(name) is None]:
        print(f"found no {' and no '.join(missing)}: the pictures of the documents are not compared")
        return 0 if "--check" in sys.argv[1:] else 1
    with TemporaryDirectory() as folder:
        check = "--check" in sys.argv[1:]
        made = Path(folder) if check else PICTURES
        for each in (puzzlescript_pictures, site_pictures, workbench_pictures):
            each.make(made)
        old = [name for path in sorted(made.iterdir()) if check and differs(path, PICTURES / (name := path.name))]
    for name in old:
        print(f"docs/pictures/{name} is out of date: run python tools/pictures.py")
    return bool(old)


def differs(new: Path, old: Path) -> bool:
    """Do two pictures show different things?"""
    if not old.exists():
        return True
    if new.suffix == ".svg":
        return words(new) != words(old)
    one, other = (Image.open(path).convert("L") for path in (new, old))
    if one.size != other.size:
        return True
    changed = ImageChops.difference(one, other).point(lambda value: 255 * (value > VISIBLE))
    return changed.histogram()[255] > MOST_CHANGED * one.width * one.height


def words(path: Path) -> list[str]:
    """The texts of a drawing, and the numbers of its shapes: versions of Graphviz place them differently."""
    text = path.read_text(encoding="utf-8")
    return sorted(re.findall(r">([^<>]*\w[^<>]*)<", re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)))


if __name__ == "__main__":
    sys.exit(main())
