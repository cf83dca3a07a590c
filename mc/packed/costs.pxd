# The constants of costs.py, in C. (A `cpdef enum` shows Python the wrong number for one of more than 32 bits.)

cdef extern from * nogil:
    """
    #define NEVER (1LL << 62)
    #define INFINITE (1LL << 28)
    """
    const long long NEVER
    const long long INFINITE
