from puzzlemc.encodings.sokoban.fess.domain.floods cimport Marks, flood, new_stamp
from puzzlemc.encodings.sokoban.fess.domain.games cimport Floor
from puzzlemc.mc.words cimport Index, Ints


cdef class Walks:
    cdef readonly Floor floor
    cdef readonly Marks marks
    cdef Ints _before
    cdef Ints _waiting


cdef Index _search(Walks walks, Index player, Index box, Index target, Index ends) noexcept nogil
