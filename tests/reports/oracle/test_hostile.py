"""Damaged files: every reader refuses them, or, if the checksum was made anew, answers without an error."""

import struct
import zlib
from pathlib import Path
from random import Random

from oracle_readers import Reader, keys_file

from puzzlemc.encodings.puzzles import load
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.oracle.exact import exact
from puzzlemc.reports.oracle.keys import keys_of
from puzzlemc.reports.oracle.lost import lost_only
from puzzlemc.reports.positions.explored import explored

ROOT = Path(__file__).parents[3]
CHANGES = 400  # of each file, with a right checksum
BORDERS = (
    0,
    1,
    63,
    64,
    127,
    128,
    255,
    (1 << 16) - 1,
    1 << 16,
    (1 << 27) + 1,
    (1 << 31) - 1,
    1 << 31,
    (1 << 32) - 1,
)


def both() -> tuple[list[str], list[bytes]]:
    """Keys of a level, and its oracles: exact, and with what proves positions lost."""
    (entry,) = load(str(ROOT / "screens/levels/sokoban/first_steps.xsb#2"))
    keys, level = keys_of(entry.puzzle), explored(entry, "pushes", Budget())
    lost = lost_only(entry.puzzle, entry.level, "pushes", keys, Budget())
    assert lost is not None
    texts = [keys.of(entry.level, position) for position in level.positions()]
    return [*texts, "", "x", "9 9 9"], [exact(level, keys).written(), lost.written()]


def sealed(data: bytes) -> bytes:
    """The data with its size and checksum made anew."""
    rest = struct.pack("<I", len(data)) + data[16:]
    return data[:8] + struct.pack("<I", zlib.crc32(rest)) + rest


def asked_about(asked: list[Reader], folder: Path, keys: list[str], files: list[bytes]) -> list[list[str]]:
    """What each reader says about each file."""
    texts = keys_file(folder / "keys", keys)
    pairs = []
    for number, data in enumerate(files):
        place = folder / f"{number}.oracle"
        place.write_bytes(data)
        pairs.append((texts, place))
    return [reader.ask(pairs) for reader in asked]


def test_each_changed_bit_and_each_shorter_file_is_refused(asked: list[Reader], tmp_path: Path) -> None:
    keys, files = both()
    damaged = [b"", b"\0", b"x" * 1000]
    for data in files:
        damaged += [data[:length] for length in range(0, len(data), 7)] + [data + b"\0", data[:-1]]
        for place in range(0, len(data), 5):
            changed = bytearray(data)
            changed[place] ^= 1 << place % 8
            damaged.append(bytes(changed))
    for said in asked_about(asked, tmp_path, keys, damaged):
        assert said == ["damaged"] * len(damaged)


def test_changed_files_with_a_right_checksum_do_no_harm(asked: list[Reader], tmp_path: Path) -> None:
    keys, files = both()
    random = Random(1)
    changed = [sealed(data[:length]) for data in files for length in range(16, len(data), 5)]
    for data in files:
        for _ in range(CHANGES):
            one = bytearray(data)
            for _ in range(random.choice((1, 1, 1, 2, 5))):
                place = random.randrange(16, len(one))
                one[place] = random.randrange(256)
            changed.append(sealed(bytes(one)))
        for place in range(16, len(data) - 4, 3):
            one = bytearray(data)
            one[place : place + 4] = struct.pack("<I", random.choice(BORDERS))
            changed.append(sealed(bytes(one)))
    found = asked_about(asked, tmp_path, keys, changed)
    for said in found:  # a text that is no UTF-8 is shown in different ways
        assert [each == "damaged" for each in said] == [each == "damaged" for each in found[0]]
    refused = sum(each == "damaged" for each in found[0])
    assert 100 < refused < len(changed) - 100
