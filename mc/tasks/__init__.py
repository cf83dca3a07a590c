"""Finite-domain planning tasks (SAS+): their values and semantics.

Searches read operators, variables and values as numbers, and compile them into tables of their own. `semantics.py`
says what they mean, state by state, and `textbook.py` is a search to compare with. `causal_graph.py` says which
variables depend on which, and `mutexes.py` which groups of facts exclude each other by induction.
"""
