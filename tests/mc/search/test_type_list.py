"""The list by types has each item until it is removed, and each type comes next as often as another one."""

import random
from collections import Counter

from puzzlemc.mc.search.type_list import TypeList, draw_item, insert_item, remove_drawn


def test_items_are_those_of_a_plain_set() -> None:
    rnd, types, held, seen = random.Random(1), TypeList(1000), set[int](), set[int]()
    for item in range(1000):
        insert_item(types, rnd.randrange(3), rnd.randrange(4), item)
        held.add(item)
        for _ in range(rnd.randrange(3)):
            if held:
                drawn = draw_item(types)
                assert drawn in held
                seen.add(drawn)
                if rnd.random() < 0.5:
                    remove_drawn(types)
                    held.remove(drawn)
    assert len(held) > 200
    while held:
        assert types.type_count
        held.remove(draw_item(types))
        remove_drawn(types)
    assert types.type_count == 0
    assert len(seen) > 500


def test_a_list_has_room_for_its_capacity_whatever_the_types_are() -> None:
    """The blocks of a type with one item more than a power of two are longest."""
    types = TypeList(9)
    for item in range(9):
        insert_item(types, 0, 0, item)
    drawn = Counter(draw_item(types) for _ in range(1000))
    assert sorted(drawn) == list(range(9))
    assert min(drawn.values()) > 60


def test_a_type_with_few_items_comes_next_as_often_as_one_with_many() -> None:
    types = TypeList(101)
    for item in range(100):
        insert_item(types, 7, 3, item)
    insert_item(types, 2, 3, 100)
    drawn = Counter(draw_item(types) for _ in range(1000))
    assert 400 < drawn[100] < 600


def test_large_numbers_count_as_the_largest() -> None:
    types = TypeList(4)
    for first, second in ((511, 1023), (512, 1024), (1 << 40, 1 << 40)):
        insert_item(types, first, second, 0)
    assert types.type_count == 1
    insert_item(types, 511, 1022, 0)
    assert types.type_count == 2


def test_the_same_draws_twice() -> None:
    draws = []
    for _ in range(2):
        types = TypeList(100)
        for item in range(100):
            insert_item(types, item % 5, item % 7, item)
        draws.append([draw_item(types) for _ in range(50)])
    assert draws[0] == draws[1]
    assert len(set(draws[0])) > 20
