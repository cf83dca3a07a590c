from puzzlemc.mc.packed.successors cimport Region, canonical_location
from puzzlemc.mc.packed.tables cimport Walks
from puzzlemc.mc.words cimport Flag, Index, Numbers2, Word, Words2, Words3


cdef class Images:
    cdef Words3 of_bytes
    cdef readonly Numbers2 codes
    cdef Words2 scratch


cdef void least_image(Images images, Walks walks, Words2 rows, Index i, Words2 into, Region region) noexcept nogil
cdef void _least_images(Images images, Walks walks, Words2 rows, Words2 into, Region region) noexcept nogil
