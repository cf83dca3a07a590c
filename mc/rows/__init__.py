"""States as rows of machine words: their layout, steps on them, and the search loops that are compiled."""

# The modules of compiled code, for `mc.jit`.
_OWN = ("tables", "successors", "bounds", "frozen", "pairs", "persistent", "buckets", "search", "waves", "proved")
COMPILED = tuple(f"puzzlemc.mc.rows.{name}" for name in _OWN)
