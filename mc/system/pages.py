"""Pages of memory that grow in place, where the system can move them (`mremap` of Linux); else they are copied."""

import mmap

LARGE = 1 << 21  # bytes of a large page
LINUX = hasattr(mmap, "MADV_HUGEPAGE")  # it alone moves pages, and has large ones by advice


def new_pages(size: int) -> mmap.mmap:
    """`size` bytes of zeros that no other process shares. Raises MemoryError."""
    try:
        if not hasattr(mmap, "MAP_PRIVATE"):
            return mmap.mmap(-1, size)
        pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as error:
        raise MemoryError(f"found no {size} bytes for an array") from error
    if size >= LARGE and LINUX:
        pages.madvise(mmap.MADV_HUGEPAGE)
    return pages


def resize(pages: mmap.mmap, size: int) -> bool:
    """Change the size of pages that no array is on. Return False if that is impossible; then they stay."""
    if not LINUX:
        return False
    try:
        pages.resize(size)
    except (BufferError, OSError, SystemError, ValueError):
        return False
    return True
