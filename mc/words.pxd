# The types and operations of compiled code, in C. words.py has the same for interpreted code.

cdef extern from * nogil:
    """
    #define ALL 0xFFFFFFFFFFFFFFFFULL
    #ifdef _MSC_VER
    #include <intrin.h>
    static inline int lowest_bit(unsigned long long word) {
        unsigned long place;
        _BitScanForward64(&place, word);
        return (int)place;
    }
    #else
    static inline int lowest_bit(unsigned long long word) { return __builtin_ctzll(word); }
    #endif
    static inline int count_bits(unsigned long long word) {  /* no instruction for it is sure to be there */
        word -= (word >> 1) & 0x5555555555555555ULL;
        word = (word & 0x3333333333333333ULL) + ((word >> 2) & 0x3333333333333333ULL);
        return (int)((((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0FULL) * 0x0101010101010101ULL) >> 56);
    }
    static inline unsigned long long bit(long long number) { return 1ULL << number; }
    static inline unsigned long long left(unsigned long long word, long long bits) { return word << bits; }
    static inline unsigned long long mixed(unsigned long long hash, unsigned long long word) {
        hash ^= word;
        hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9ULL;
        hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EBULL;
        return hash ^ (hash >> 31);
    }
    """
    const unsigned long long ALL
    int lowest_bit(unsigned long long word) noexcept
    int count_bits(unsigned long long word) noexcept
    unsigned long long bit(long long number) noexcept
    unsigned long long left(unsigned long long word, long long bits) noexcept
    unsigned long long mixed(unsigned long long hash, unsigned long long word) noexcept

ctypedef bint Flag
ctypedef unsigned long long Word
ctypedef long long Index

ctypedef unsigned long long[::1] Words
ctypedef unsigned long long[:, ::1] Words2
ctypedef unsigned long long[:, :, ::1] Words3
ctypedef long long[::1] Numbers
ctypedef long long[:, ::1] Numbers2
ctypedef long long[:, :, ::1] Numbers3
ctypedef int[::1] Ints
ctypedef int[:, ::1] Ints2
ctypedef int[:, :, ::1] Ints3
ctypedef int[:, :, :, ::1] Ints4
ctypedef short[::1] Shorts
ctypedef short[:, ::1] Shorts2
ctypedef short[:, :, ::1] Shorts3
ctypedef short[:, :, :, ::1] Shorts4
ctypedef unsigned short[:, ::1] Places2
ctypedef unsigned char[::1] Bytes
ctypedef unsigned char[:, ::1] Bytes2
ctypedef unsigned char[:, :, ::1] Bytes3
ctypedef unsigned char[:, :, :, ::1] Bytes4
