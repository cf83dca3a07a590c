"""Images of packed states under symmetries of a model: of all images of a state, a search keeps the least one.

The objects of an image are looked up byte by byte, and its location code by itself; then the location moves to the
canonical one of its region. Images are compared by their objects, and then by their locations. Compiled.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.packed.successors import Region, canonical_location
    from puzzlemc.mc.packed.tables import Walks
    from puzzlemc.mc.words import Flag, Index, Numbers2, Word, Words2, Words3


class Images:
    """Symmetries as tables. They and the identity are a group.

    of_bytes  (symmetries, 8 * words * 256, words): for each byte of a packed state and its value, the objects of
              the image
    codes     (symmetries, location codes): the location code of the image
    scratch   (1, words): an image
    """

    of_bytes: Words3
    codes: Numbers2  # readonly
    scratch: Words2

    def __init__(self, of_bytes: npt.NDArray[np.uint64], codes: npt.NDArray[np.int64]) -> None:
        self.of_bytes, self.codes = view(of_bytes), view(codes)
        self.scratch = view(np.zeros((1, of_bytes.shape[2]), np.uint64))


def no_images(words: int) -> Images:
    """No symmetry but the identity."""
    return Images(np.zeros((0, 0, words), np.uint64), np.zeros((0, 0), np.int64))


def least_images(images: Images, walks: Walks, rows: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The least image of each row; the locations of the rows must be canonical."""
    found = np.zeros_like(rows)
    _least_images(images, walks, view(np.ascontiguousarray(rows)), view(found), Region(walks))
    return found


def _least_images(images: Images, walks: Walks, rows: Words2, into: Words2, region: Region) -> None:
    """Write the least image of each row to `into`."""
    i: Index
    for i in range(rows.shape[0]):
        least_image(images, walks, rows, i, into, region)


def least_image(images: Images, walks: Walks, rows: Words2, i: Index, into: Words2, region: Region) -> None:
    """Write the least image of row i, whose location is canonical, to row i of `into`."""
    words: Index = rows.shape[1]
    s: Index
    w: Index
    v: Index
    is_canonical: Flag = True  # is the location of the least image so far?
    for w in range(words):
        into[i, w] = rows[i, w]
    for s in range(images.codes.shape[0]):
        for w in range(words):
            images.scratch[0, w] = 0
        for w in range(words):
            left: Word = rows[i, w] & walks.outside[w]
            byte: Index = 8 * w
            while left:
                for v in range(words):
                    images.scratch[0, v] |= images.of_bytes[s, 256 * byte + (left & 255), v]
                left >>= 8
                byte += 1
        order: Index = 0
        for w in range(words):
            known: Word = into[i, w] & walks.outside[w]
            if images.scratch[0, w] != known:
                order = -1 if images.scratch[0, w] < known else 1
                break
        if order > 0:
            continue
        code: Word = images.codes[s, rows[i, 0] & walks.key]
        images.scratch[0, 0] |= code
        if order == 0:
            canonical_location(walks, images.scratch, 0, region)
            if not is_canonical:
                canonical_location(walks, into, i, region)
            is_canonical = True
        else:
            is_canonical = False
        if order < 0 or images.scratch[0, 0] < into[i, 0]:
            for w in range(words):
                into[i, w] = images.scratch[0, w]
    if not is_canonical:
        canonical_location(walks, into, i, region)
