"""Factorio layouts: the plain rules, how items flow, and the planner."""
