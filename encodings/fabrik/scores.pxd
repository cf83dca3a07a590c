from puzzlemc.encodings.fabrik.fast cimport EMPTY, WORKER, Geometry, State, find_way, move, put, take
from puzzlemc.mc.words cimport Flag, Index, Numbers, Shorts, Shorts2, bit


cdef Index _run(Geometry table, State now, Index at, Index direction, Index piece) noexcept nogil
cdef Index _score(Geometry table, State now, Index player) noexcept nogil
cdef void _score_stones(Geometry table, State now, Index player, Shorts cells, Numbers scores) noexcept nogil
cdef void _gains(Geometry table, State now, Index player, Numbers gains) noexcept nogil
cdef Index _best(Geometry table, State now, Numbers gains) noexcept nogil
cdef void _value_turns(Geometry table, State now, Index player, Shorts2 turns, Numbers gains, Numbers then, Numbers values) noexcept nogil
