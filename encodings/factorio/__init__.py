"""Factorio layouts: the plain rules, the clauses, the flow of items, and the planner."""
