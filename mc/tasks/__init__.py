"""Finite-domain planning tasks (SAS+): their values and semantics.

Searches read operators, variables and values as numbers, out of arrays (`operators.py`). `semantics.py` says what
they mean, state by state. `causal_graph.py` says which variables depend on which, and `mutexes.py` which groups of
facts exclude each other by induction.
"""
