"""Optimal search over finite-domain tasks: packed states, and A* with lower bounds out of the task.

`optimal.py` has the search as a function of a task and a budget.
"""
