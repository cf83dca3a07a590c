"""How packed files are recognised: by the first bytes, and by the suffix. What unpacks them is in `archive`."""

ZIP, GZIP = b"PK\x03\x04", b"\x1f\x8b"  # the first bytes of such files
EMPTY_ZIP = b"PK\x05\x06"
ZIP_SUFFIX, GZIP_SUFFIX = ".zip", ".gz"
SUFFIXES = (ZIP_SUFFIX, ".tar", ".tgz", ".tar.gz")  # of archives
_TAR, _TAR_AT = b"ustar", 257  # the signature in the header of a `.tar` member, and its offset


def is_zip(data: bytes) -> bool:
    """Return whether a file begins like a `.zip` file."""
    return data.startswith((ZIP, EMPTY_ZIP))


def is_gzip(data: bytes) -> bool:
    """Return whether a file begins like a `.gz` file."""
    return data.startswith(GZIP)


def is_tar(data: bytes) -> bool:
    """Return whether a file begins like a `.tar` file."""
    return data.startswith(_TAR, _TAR_AT)


def unpacked_name(path: str) -> str:
    """Return the name of the content of a `.gz` file; for another file, its own name."""
    return path[: -len(GZIP_SUFFIX)] if path.lower().endswith(GZIP_SUFFIX) else path
