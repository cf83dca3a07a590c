"""The symmetries of a model that its hints propose, tested on its packed actions."""

from collections.abc import Hashable, Mapping

import numpy as np

from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed.actions import PackedActions
from puzzlemc.mc.packed.images import Images, no_images
from puzzlemc.mc.packed.layout import Layout, Numbers, PackedStates
from puzzlemc.mc.packed.successors import move_to_canonical
from puzzlemc.mc.packed.tables import Walks


def images_of(
    layout: Layout, model: Model, actions: PackedActions, walks: Walks, start: PackedStates, goal: PackedStates
) -> Images:
    """The proposed symmetries that keep the actions, the walks, the initial state `start` and the goal (words,).

    Walks must be free, and all bits those of the location or of objects. The goal is the only cube of the model's,
    and does not mention the location.
    """
    location, objects = model.hints.location, model.hints.objects
    if location is None or walks.cost or not walks.near.shape[0] or not actions.is_somewhere.all():
        return no_images(layout.words)
    if len(layout.bits) != len(location.bits) + len(objects) or goal[0] & np.uint64(layout.key):
        return no_images(layout.words)
    code = dict(zip(location.values, layout.codes, strict=True))
    place = {value: layout.place(b) for b, value in objects.items()}
    found = []
    for proposed in model.hints.symmetries:
        one = _as_numbers(layout, proposed, code, place)
        if one is not None and _keeps(layout, actions, walks, start, goal, *one):
            found.append(one)
    if not found:
        return no_images(layout.words)
    tables = [_by_bytes(layout, places) for _, places in found]
    return Images(np.stack(tables), np.stack([codes for codes, _ in found]))


def _as_numbers(
    layout: Layout,
    proposed: Mapping[Hashable, Hashable],
    code: Mapping[Hashable, int],
    place: Mapping[Hashable, int],
) -> tuple[Numbers, Numbers] | None:
    """The images of location codes and of the places of bits; None if an object has none."""
    codes, places = np.arange(layout.key + 1), np.arange(64 * layout.words)
    for value, image in proposed.items():
        codes[code[value]] = code[image]
        if (value in place) != (image in place):
            return None
        if value in place:
            places[place[value]] = place[image]
    if (np.sort(codes) != np.arange(len(codes))).any() or (np.sort(places) != np.arange(len(places))).any():
        return None
    return codes, places


def _image(layout: Layout, states: PackedStates, places: Numbers) -> PackedStates:
    """The objects of the images of packed states; their locations are left out."""
    truths = layout.unpacked(states)
    image = np.zeros_like(truths)
    some = np.arange(layout.key.bit_length(), len(layout.bits))
    image[:, places[some]] = truths[:, some]
    return layout.packed(image)


def _keeps(
    layout: Layout,
    actions: PackedActions,
    walks: Walks,
    start: PackedStates,
    goal: PackedStates,
    codes: Numbers,
    places: Numbers,
) -> bool:
    """Is this a symmetry of the actions, the walks, the initial state and the goal?"""
    every = np.arange(len(places))
    ends = np.stack([actions.source, actions.target, actions.step_cost], axis=1)
    images = np.stack([codes[actions.source], codes[actions.target], actions.step_cost], axis=1)
    parts = (actions.mask, actions.value, actions.clear, actions.set)
    before, after = (
        np.concatenate([some.astype(np.uint64), *(_image(layout, part, by) for part in parts)], axis=1)
        for some, by in ((ends, every), (images, places))
    )
    if not _same_rows(before, after):
        return False
    near, blocked = np.asarray(walks.near), np.asarray(walks.blocked)
    one, word, bit = np.nonzero(near[:, :, None] >> np.arange(64, dtype=np.uint64) & np.uint64(1))
    pairs = np.stack([one, 64 * word + bit], axis=1)
    if not _same_rows(pairs, codes[pairs]):
        return False
    objects = np.flatnonzero(blocked >= 0)
    if (codes[blocked[objects]] != blocked[places[objects]]).any():
        return False
    both = np.stack([start, goal])
    if (_image(layout, both, places) != _image(layout, both, every)).any():
        return False
    image = _image(layout, start[None], places)
    image[:, 0] |= np.uint64(codes[int(start[0]) & layout.key])
    regions = np.ascontiguousarray(np.concatenate([image, start[None]]))
    move_to_canonical(walks, regions)
    return bool((regions[0] == regions[1]).all())


def _same_rows(one: PackedStates | Numbers, other: PackedStates | Numbers) -> bool:
    """Do two arrays of the same shape have the same rows?"""
    return np.array_equal(np.unique(one, axis=0), np.unique(other, axis=0)) if len(one) else True


def _by_bytes(layout: Layout, places: Numbers) -> PackedStates:
    """By byte of a packed state and its value: the objects of the image."""
    table = np.zeros((8 * layout.words, 256, layout.words), np.uint64)
    values = np.arange(256)
    for number in range(layout.key.bit_length(), len(layout.bits)):
        byte, bit = divmod(number, 8)
        word, shift = divmod(int(places[number]), 64)
        table[byte, values >> bit & 1 > 0, word] |= np.uint64(1 << shift)
    return table.reshape(8 * layout.words * 256, layout.words)
