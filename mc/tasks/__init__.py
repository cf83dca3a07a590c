"""Finite-domain planning tasks (SAS+): values, their semantics, and a textbook search.

A search reads a `Task` (`task.py`). `semantics.py` says what its operators do, state by state; a search compiles
the same into its own tables. `textbook.py` is a search to compare with.
"""
