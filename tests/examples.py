"""How many random examples a test takes.

Runs are the same each time, so the hundredth example of an expensive test rarely finds what the thirtieth did not.
`make test` takes few, `make test-all` and new random examples take many.
"""

from hypothesis import settings


def examples(few: int, many: int) -> int:
    """Return the number for this run."""
    return few if settings.get_current_profile_name() == "default" else many
