"""Output: texts without control characters, numbers in words, terminals with progress bars, atomic files."""
