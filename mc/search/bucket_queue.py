"""A priority queue with a bucket for each key: items of the least key come first.

Of items with one key, the latest comes first, or the earliest: an item joins a bucket at the front or at the end.

A binary heap has each key that has items, once. A hash table finds the bucket of a key, a linked list of items. If
many items share few keys, an operation costs as little as in an array of buckets; keys may be as large as a word.

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.search.growing import UNLIMITED, Growing
from puzzlemc.mc.words import view

KEY_BYTES = 32  # of all arrays, for each key

if not cython.compiled:
    from puzzlemc.mc.words import Flag, Index, Ints, Ints2, Word, Words, mixed


class BucketQueue(Growing):
    """A queue of numbered items. The arrays have a fixed capacity: their owner enlarges them.

    entries      (capacity, 2): an item, and the next entry of its bucket or of the free list, -1 at the end
    heap         (keys,): the keys that have items, as a binary heap
    keys         (keys,): the keys so far, in the order in which they came
    first        (keys,): the first entry of the bucket of each of them, -1 if it is empty
    last         (keys,): the last entry of the bucket of each of them, if it is not empty
    slots        a hash table of their numbers, -1 where free. Its length is a power of two
    heap_size    the number of keys that have items
    key_count    the number of keys so far
    entry_count  the number of entries that were used so far
    free         the first entry of the free list, -1 if it is empty
    size         the number of items
    """

    entries: Ints2  # public
    heap: Words  # public
    keys: Words  # public
    first: Ints  # public
    last: Ints  # public
    slots: Ints  # public
    heap_size: Index  # public
    key_count: Index  # public
    entry_count: Index  # public
    free: Index  # public
    size: Index  # public

    def __init__(self, capacity: int, keys: int = 256) -> None:
        """An empty queue with room for `capacity` items and for `keys` keys, a power of two."""
        super().__init__()
        self.entries = view(np.zeros((capacity, 2), np.int32))
        self.heap, self.keys = view(np.zeros(keys, np.uint64)), view(np.zeros(keys, np.uint64))
        self.first, self.last = view(np.zeros(keys, np.int32)), view(np.zeros(keys, np.int32))
        self.slots = view(np.full(2 * keys, -1, np.int32))
        self.heap_size = self.key_count = self.entry_count = self.size = 0
        self.free = -1

    @property
    def bytes(self) -> int:
        """The size of the arrays."""
        return 8 * self.entries.shape[0] + KEY_BYTES * self.keys.shape[0]

    def make_room(self, more: int, free: int = UNLIMITED) -> None:
        """Make room for `more` further items, each with a new key, in at most `free` further bytes.

        Raises LimitReached.
        """
        keys = self.keys.shape[0]
        if self.key_count + more > keys:
            keys = 1 << (self.key_count + more).bit_length()
            free -= KEY_BYTES * (keys - self.keys.shape[0])
            if free < 0:
                raise LimitReached("memory")
            self.lengthen(keys, "heap", "keys", "first", "last")
            self.slots = view(np.full(2 * keys, -1, np.int32))
            _rehash(self)
        if self.entry_count + more > self.entries.shape[0]:
            self.grow(self.entry_count + more, free, "entries")


def has_room_for(queue: BucketQueue, more: Index) -> Flag:
    """Is there room for `more` further items, each with a new key?"""
    return queue.entry_count + more <= queue.entries.shape[0] and queue.key_count + more <= queue.keys.shape[0]


def enqueue(queue: BucketQueue, key: Word, item: Index) -> None:
    """Insert an item, before those of its key. There must be room."""
    number: Index = _bucket(queue, key)
    entry: Index = _entry(queue, item)
    if queue.first[number] < 0:
        _insert_key(queue, key)
        queue.last[number] = entry
    queue.entries[entry, 1] = queue.first[number]
    queue.first[number] = entry


def enqueue_last(queue: BucketQueue, key: Word, item: Index) -> None:
    """Insert an item, after those of its key. There must be room."""
    number: Index = _bucket(queue, key)
    entry: Index = _entry(queue, item)
    if queue.first[number] < 0:
        _insert_key(queue, key)
        queue.first[number] = entry
    else:
        queue.entries[queue.last[number], 1] = entry
    queue.last[number] = entry


def _bucket(queue: BucketQueue, key: Word) -> Index:
    """The number of a key, which is a new one if the key is."""
    slot: Index = _slot(queue, key)
    number: Index = queue.slots[slot]
    if number < 0:
        number = queue.key_count
        queue.key_count += 1
        queue.slots[slot] = number
        queue.keys[number] = key
        queue.first[number] = -1
    return number


def _entry(queue: BucketQueue, item: Index) -> Index:
    """A free entry, which holds an item now and ends a bucket."""
    entry: Index = queue.free
    if entry >= 0:
        queue.free = queue.entries[entry, 1]
    else:
        entry = queue.entry_count
        queue.entry_count += 1
    queue.entries[entry, 0] = item
    queue.entries[entry, 1] = -1
    queue.size += 1
    return entry


def least_key(queue: BucketQueue) -> Word:
    """The least key that has an item. There must be an item."""
    return queue.heap[0]


def dequeue(queue: BucketQueue) -> Index:
    """Remove the first item of the least key. There must be an item."""
    return dequeue_bucket(queue, 0)


def dequeue_bucket(queue: BucketQueue, place: Index) -> Index:
    """Remove the first item of the key at a place of the heap. There must be a key."""
    number: Index = queue.slots[_slot(queue, queue.heap[place])]
    entry: Index = queue.first[number]
    queue.first[number] = queue.entries[entry, 1]
    if queue.first[number] < 0:
        _remove_key(queue, place)
    queue.entries[entry, 1] = queue.free
    queue.free = entry
    queue.size -= 1
    return queue.entries[entry, 0]


def clear(queue: BucketQueue) -> None:
    """Remove all items and keys."""
    number: Index
    # In the reverse order of their insertion: a later key never stands before an earlier one on its way.
    for number in range(queue.key_count - 1, -1, -1):
        queue.slots[_slot(queue, queue.keys[number])] = -1
    queue.heap_size = queue.key_count = queue.entry_count = queue.size = 0
    queue.free = -1


def _slot(queue: BucketQueue, key: Word) -> Index:
    """The slot of a key in the hash table, or the free slot where it belongs."""
    last: Index = queue.slots.shape[0] - 1
    at: Index = mixed(0, key) & last
    while queue.slots[at] >= 0 and queue.keys[queue.slots[at]] != key:
        at = (at + 1) & last
    return at


def _insert_key(queue: BucketQueue, key: Word) -> None:
    """Insert a key into the heap."""
    queue.heap_size += 1
    _sift_up(queue, queue.heap_size - 1, key)


def _sift_up(queue: BucketQueue, at: Index, key: Word) -> None:
    """Write a key to a free place of the heap, or to one nearer to the top."""
    while at > 0 and queue.heap[(at - 1) >> 1] > key:
        queue.heap[at] = queue.heap[(at - 1) >> 1]
        at = (at - 1) >> 1
    queue.heap[at] = key


def _remove_key(queue: BucketQueue, at: Index) -> None:
    """Remove the key at a place of the heap. The last key takes the place, or one nearer to its own."""
    queue.heap_size -= 1
    if at == queue.heap_size:
        return
    key: Word = queue.heap[queue.heap_size]
    while 2 * at + 1 < queue.heap_size:
        child: Index = 2 * at + 1
        if child + 1 < queue.heap_size and queue.heap[child + 1] < queue.heap[child]:
            child += 1
        if queue.heap[child] >= key:
            break
        queue.heap[at] = queue.heap[child]
        at = child
    _sift_up(queue, at, key)


def _rehash(queue: BucketQueue) -> None:
    """Insert the numbers of all keys into the hash table, which is empty."""
    number: Index
    for number in range(queue.key_count):
        queue.slots[_slot(queue, queue.keys[number])] = number
