"""Hundreds of small levels, for tests of batches."""

import random
from pathlib import Path


def room(choice: random.Random) -> str:
    """A small room with two boxes, solvable or not."""
    height, width = choice.randint(2, 4), choice.randint(3, 4)
    cells = [(row, column) for row in range(height) for column in range(width)]
    choice.shuffle(cells)
    kinds = dict(zip(cells, "@$$..", strict=False))
    inside = ["".join(kinds.get((row, column), " ") for column in range(width)) for row in range(height)]
    edge = "#" * (width + 2)
    return "\n".join([edge, *(f"#{row}#" for row in inside), edge])


def write_rooms(folder: Path, files: int, levels: int, seed: int = 1) -> Path:
    """Write files of this number of levels each, all different."""
    folder.mkdir(exist_ok=True)
    choice = random.Random(seed)
    seen: set[str] = set()
    for number in range(files):
        rooms: list[str] = []
        while len(rooms) < levels:
            text = room(choice)
            if text not in seen:
                seen.add(text)
                rooms.append(f"{text}\nTitle: room {number}.{len(rooms) + 1}\n")
        (folder / f"rooms{number}.xsb").write_text("\n".join(rooms), encoding="utf-8")
    return folder
