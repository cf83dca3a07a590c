from puzzlemc.mc.words cimport Flag, Index, Ints, Ints2, Word, Words, mixed


cdef class BucketQueue:
    cdef public Ints2 entries
    cdef public Words heap
    cdef public Words keys
    cdef public Ints first
    cdef public Ints slots
    cdef public Index heap_size
    cdef public Index key_count
    cdef public Index entry_count
    cdef public Index free
    cdef public Index size


cdef Flag has_room_for(BucketQueue queue, Index more) noexcept nogil
cdef void enqueue(BucketQueue queue, Word key, Index item) noexcept nogil
cdef Word least_key(BucketQueue queue) noexcept nogil
cdef Index dequeue(BucketQueue queue) noexcept nogil
cdef void clear(BucketQueue queue) noexcept nogil
cdef Index _slot(BucketQueue queue, Word key) noexcept nogil
cdef void _insert_key(BucketQueue queue, Word key) noexcept nogil
cdef void _remove_least_key(BucketQueue queue) noexcept nogil
cdef void _rehash(BucketQueue queue) noexcept nogil
