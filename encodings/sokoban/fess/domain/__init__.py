"""A level in numbers: cells, floods, macro moves, positions and their hash table, counters."""
