"""Write a digest of all that the program is built from: `python tools/source_digest.py`.

It names the wheels and the answers that a build keeps for the next one. A checkout may have no git.
"""

from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("encodings", "mc", "reports", "screens", "shell", "tools")
FILES = ("pyproject.toml", "setup.cfg", "setup.py")


def digest(root: Path) -> str:
    """The digest of the sources below a folder: their names and contents, without what was compiled."""
    paths = [path for folder in FOLDERS for path in (root / folder).rglob("*") if _is_source(path)]
    paths += [root / name for name in FILES]
    whole = sha256()
    for name, path in sorted((path.relative_to(root).as_posix(), path) for path in paths):
        content = path.read_bytes()
        whole.update(f"{name}\0{len(content)}\0".encode())
        whole.update(content)
    return whole.hexdigest()[:20]


def _is_source(path: Path) -> bool:
    return path.is_file() and path.suffix != ".so" and "__pycache__" not in path.parts


if __name__ == "__main__":
    print(digest(ROOT))
