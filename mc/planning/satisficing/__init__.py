"""Some plan of a finite-domain task, fast: width search and lazy greedy search with relaxed plans and landmarks.

`some.py` has the search as a function of a task and a budget.
"""
