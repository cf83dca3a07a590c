"""Finite-domain planning tasks (SAS+): their values and semantics, and the task of a model.

A search without hints asks for `translation(model)` (`translation.py`) and searches the `Task` under
`with_metric(metric)`; the `trace` of its plan is in the bits of the model. It reads operators, variables and
values as numbers, and compiles them into tables of its own. `semantics.py` says what they mean, state by state,
and `textbook.py` is a search to compare with. `causal_graph.py` says which variables depend on which.

The states that a search has seen are an invariant of the model together with the dead states (`is_possible`,
`is_dead`), since actions that lead nowhere are not in the task.
"""
