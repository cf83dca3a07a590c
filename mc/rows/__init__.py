"""States as rows of machine words: their layout, steps on them, and the search loops that are compiled."""

# The modules of compiled code, for `mc.jit`.
COMPILED = tuple(f"puzzlemc.mc.rows.{name}" for name in ("tables", "successors", "bounds", "buckets", "search", "proved"))
