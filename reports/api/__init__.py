"""The functions and results that `import puzzlemc` gives; `docs/api.md` describes them.

A search runs in a process of its own, under its limits. Errors are exceptions; a limit is the verdict *unknown*.
"""
